import Foundation
import Playback

/// The size of a terminal.
package struct TerminalSize: Hashable, Sendable {
    package var columns: Int
    var rows: Int
    /// The height of a cell, in widths of a cell.
    var cellHeight = 2.0
    /// The width of a cell in pixels, as far as it is known.
    var cellWidth = 8

    /// The rows for video. The last row of the terminal has the status line.
    var videoRows: Int { max(0, rows - 1) }

    /// The size of the terminal behind a descriptor, or 80 × 24 if it is unknown.
    package static func of(_ descriptor: Int32) -> TerminalSize {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        let (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
        var result = TerminalSize(columns: columns, rows: rows)
        if size.ws_xpixel > 0, size.ws_ypixel > 0 {
            let height = Double(size.ws_ypixel) / Double(rows) / (Double(size.ws_xpixel) / Double(columns))
            // Some terminals report nonsense.
            if (0.5...8).contains(height) {
                result.cellHeight = height
                result.cellWidth = max(1, Int(size.ws_xpixel) / columns)
            }
        }
        return result
    }

    /// Returns the place of a frame in the rows for video, in its proportions and centred.
    ///
    /// - Parameter lines: the number of lines into which each row is divided.
    func area(
        of frame: VideoFrame, linesPerRow lines: Int = 1
    ) -> (left: Int, top: Int, width: Int, height: Int) {
        // In widths of a cell.
        let lineHeight = cellHeight / Double(lines)
        let scale = min(
            Double(columns) / Double(frame.width), Double(videoRows) * cellHeight / Double(frame.height))
        let width = (Double(frame.width) * scale).rounded()
        let height = (Double(frame.height) * scale / lineHeight).rounded()
        let area = (max(1, min(Int(width), columns)), max(1, min(Int(height), videoRows * lines)))
        return ((columns - area.0) / 2, (videoRows * lines - area.1) / 2, area.0, area.1)
    }
}

/// The colours of a cell, as the terminal has them.
struct Cell: Hashable {
    /// A cell beside the video.
    static let blank = Cell(top: .max, bottom: .max)

    var top: UInt32
    var bottom: UInt32
}

/// A frame as half blocks: each cell shows two pixels, one above the other.
struct CellImage {
    /// Rows of cells, from the top left.
    private(set) var cells: [Cell]

    /// Scales a frame into the rows for video, in its proportions and centred.
    init(_ frame: VideoFrame, size: TerminalSize, colours: TerminalColours) {
        let columns = size.columns
        cells = Array(repeating: .blank, count: columns * size.videoRows)
        guard frame.width > 0, frame.height > 0, size.videoRows > 0 else { return }
        let (left, top, width, height) = size.area(of: frame, linesPerRow: 2)
        let areas = (0..<width).map { Self.area($0, of: width, in: frame.width) }
        frame.withUnsafeBytes { bytes in
            for y in 0..<height {
                let line = y + top
                let rows = Self.area(y, of: height, in: frame.height)
                for x in 0..<width {
                    let colour = colours.colour(Self.average(bytes, frame.bytesPerRow, areas[x], rows))
                    let index = line / 2 * columns + left + x
                    if line.isMultiple(of: 2) { cells[index].top = colour } else { cells[index].bottom = colour }
                }
            }
        }
        // A cell with only one pixel of video has a black one beside it.
        let black = colours.colour(0)
        for index in cells.indices where cells[index] != .blank {
            if cells[index].top == .max { cells[index].top = black }
            if cells[index].bottom == .max { cells[index].bottom = black }
        }
    }

    /// Returns the pixels of the frame that a pixel of the image stands for, at least one.
    private static func area(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
        let start = index * length / count
        return start..<max(start + 1, (index + 1) * length / count)
    }

    /// Returns the mean of up to 4 × 4 pixels of an area.
    private static func average(
        _ bytes: UnsafeRawBufferPointer, _ bytesPerRow: Int, _ columns: Range<Int>, _ rows: Range<Int>
    ) -> UInt32 {
        var (red, green, blue, count) = (UInt32(0), UInt32(0), UInt32(0), UInt32(0))
        var y = rows.lowerBound
        repeat {
            var x = columns.lowerBound
            repeat {
                let pixel = UInt32(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: y * bytesPerRow + 4 * x, as: UInt32.self))
                red += pixel >> 16 & 0xFF
                green += pixel >> 8 & 0xFF
                blue += pixel & 0xFF
                count += 1
                x += max(1, columns.count / 4)
            } while x < columns.upperBound
            y += max(1, rows.count / 4)
        } while y < rows.upperBound
        return (red / count) << 16 | (green / count) << 8 | blue / count
    }
}
