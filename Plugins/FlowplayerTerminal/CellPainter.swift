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
                bytes.append(escape: [UInt32(index / columns + 1), UInt32(index % columns + 1)], "H")
            }
            cursor = index + 1
            let isFlat = cell.top == cell.bottom
            var codes: [UInt32] = []
            if !isFlat, foreground != cell.top {
                codes += code(38, cell.top)
                foreground = cell.top
            }
            if background != cell.bottom {
                codes += cell == .blank ? [49] : code(48, cell.bottom)
                background = cell.bottom
            }
            if !codes.isEmpty { bytes.append(escape: codes, "m") }
            // U+2580, the upper half block.
            bytes += isFlat ? [0x20] : [0xE2, 0x96, 0x80]
        }
        shown = image.cells
    }

    private func code(_ layer: UInt32, _ colour: UInt32) -> [UInt32] {
        switch colours {
        case .palette: [layer, 5, colour]
        case .trueColour: [layer, 2, colour >> 16, colour >> 8 & 0xFF, colour & 0xFF]
        }
    }
}

extension [UInt8] {
    /// Appends a control sequence with numbers.
    mutating func append(escape numbers: [UInt32], _ final: Unicode.Scalar) {
        append(0x1B)
        append(UInt8(ascii: "["))
        for (index, number) in numbers.enumerated() {
            if index > 0 { append(UInt8(ascii: ";")) }
            append(decimal: number)
        }
        append(UInt8(ascii: final))
    }

    private mutating func append(decimal number: UInt32) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
