/// Writes the differences between images as the bytes of a terminal.
///
/// Only changed cells are written. The cursor is moved only to cells that do not follow the one before, and colours are
/// written only when they change.
struct CellPainter {
    /// The largest number of bytes for a cell: a position, two colours and a block.
    static let mostBytesPerCell = 12 + 38 + 3

    let size: TerminalSize
    private let colours: TerminalColours
    private var shown: [Cell]

    /// - Parameters:
    ///   - size: the size of the terminal, which shows nothing yet.
    ///   - colours: the colours of the terminal.
    init(size: TerminalSize, colours: TerminalColours) {
        self.size = size
        self.colours = colours
        shown = Array(repeating: .blank, count: size.columns * size.videoRows)
    }

    /// Appends the bytes that change the terminal to an image of the same size.
    mutating func paint(_ image: CellImage, into bytes: inout [UInt8]) {
        var (foreground, background) = (UInt32?.none, UInt32?.none)
        var cursor = -1
        let columns = size.columns
        for (index, cell) in image.cells.enumerated() where cell != shown[index] {
            if index != cursor || index.isMultiple(of: columns) {
                bytes.appendPosition(row: index / columns, column: index % columns)
            }
            cursor = index + 1
            let isFlat = cell.top == cell.bottom
            let changesForeground = !isFlat && foreground != cell.top
            let changesBackground = background != cell.bottom
            if changesForeground {
                foreground = cell.top
                bytes.append("\u{1B}[38;")
                append(cell.top, to: &bytes)
            }
            if changesBackground {
                background = cell.bottom
                bytes.append(changesForeground ? ";" : "\u{1B}[")
                if cell == .blank {
                    bytes.append("49")
                } else {
                    bytes.append("48;")
                    append(cell.bottom, to: &bytes)
                }
            }
            if changesForeground || changesBackground { bytes.append("m") }
            bytes.append(isFlat ? " " : "▀")
        }
        shown = image.cells
    }

    private func append(_ colour: UInt32, to bytes: inout [UInt8]) {
        switch colours {
        case .palette:
            bytes.append("5;")
            bytes.append(decimal: colour)
        case .trueColour:
            bytes.append("2;")
            bytes.append(decimal: colour >> 16)
            bytes.append(";")
            bytes.append(decimal: colour >> 8 & 0xFF)
            bytes.append(";")
            bytes.append(decimal: colour & 0xFF)
        }
    }
}

extension [UInt8] {
    /// Appends the sequence that moves the cursor to a cell, counted from 0.
    mutating func appendPosition(row: Int, column: Int) {
        append("\u{1B}[")
        append(decimal: UInt32(row + 1))
        append(";")
        append(decimal: UInt32(column + 1))
        append("H")
    }

    /// Appends a text without an allocation.
    fileprivate mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    fileprivate mutating func append(decimal number: UInt32) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
