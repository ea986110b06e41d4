import Playback
import TestSupport
import Testing

@testable import FlowplayerTerminal

/// Frames become cells, and cells become bytes.
@Suite struct CellTests {
    private func image(
        _ frame: VideoFrame, columns: Int, rows: Int, cellHeight: Double = 2, _ colours: TerminalColours = .trueColour
    ) -> CellImage {
        CellImage(
            frame, size: TerminalSize(columns: columns, rows: rows + 1, cellHeight: cellHeight), colours: colours)
    }

    // MARK: Frames

    @Test func aFrameOfTheSameSizeKeepsItsPixels() {
        let frame = VideoFrame.test(width: 3, height: 4) { x, y in UInt32(x << 16 | y) }
        let cells = image(frame, columns: 3, rows: 2).cells
        #expect(cells[0] == Cell(top: 0x00000, bottom: 0x00001))
        #expect(cells[2] == Cell(top: 0x20000, bottom: 0x20001))
        #expect(cells[5] == Cell(top: 0x20002, bottom: 0x20003))
    }

    @Test func aLargeFrameIsAveraged() {
        let frame = VideoFrame.test(width: 8, height: 8) { x, y in (x + y).isMultiple(of: 2) ? 0xFF_FFFF : 0 }
        let cells = image(frame, columns: 2, rows: 1).cells
        #expect(cells == Array(repeating: Cell(top: 0x7F7F7F, bottom: 0x7F7F7F), count: 2))
    }

    @Test func proportionsAreKept() {
        let frame = VideoFrame.test(width: 20, height: 10) { _, _ in 0xFF0000 }
        // 10 × 10 pixels for a frame of 2:1: 10 × 5 pixels, between two rows of nothing.
        let cells = image(frame, columns: 10, rows: 5).cells
        #expect(cells[0] == .blank)
        #expect(cells[49] == .blank)
        #expect(cells[10] == Cell(top: 0xFF0000, bottom: 0xFF0000))
        #expect(cells.filter { $0 != .blank }.count == 30)
        // With square cells a pixel is twice as wide as high.
        let square = image(frame, columns: 10, rows: 5, cellHeight: 1).cells
        #expect(square.filter { $0 != .blank }.count == 50)
        let tall = image(VideoFrame.test(width: 1, height: 1000) { _, _ in 1 }, columns: 9, rows: 4).cells
        #expect(tall.filter { $0 != .blank }.count == 4)
    }

    @Test(arguments: [(1, 0), (1, 1), (2, 1), (300, 1), (1, 100)])
    func everySizeIsFine(columns: Int, rows: Int) {
        for (width, height) in [(1, 1), (640, 2), (2, 640), (33, 17)] {
            let cells = image(.gradient(width: width, height: height), columns: columns, rows: rows).cells
            #expect(cells.count == columns * rows)
        }
    }

    @Test func thePaletteIsNear() {
        #expect(TerminalColours.palette.colour(0x000000) == 16)
        #expect(TerminalColours.palette.colour(0xFFFFFF) == 231)
        #expect(TerminalColours.palette.colour(0xFF0000) == 196)
        #expect(TerminalColours.palette.colour(0x00FF00) == 46)
        #expect(TerminalColours.palette.colour(0x0000FF) == 21)
        #expect(TerminalColours.palette.colour(0x808080) == 244)
        for rgb in stride(from: UInt32(0), to: 0x1000000, by: 4999) {
            #expect((16...255).contains(TerminalColours.palette.colour(rgb)))
        }
    }

    // MARK: Bytes

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func onlyChangesAreWritten() {
        var painter = CellPainter(size: TerminalSize(columns: 4, rows: 3), colours: .trueColour)
        var bytes: [UInt8] = []
        let frame = VideoFrame.test(width: 4, height: 4) { _, y in y.isMultiple(of: 2) ? 0x010203 : 0x0405FF }
        painter.paint(image(frame, columns: 4, rows: 2), into: &bytes)
        // The colours are written once, the cursor is placed once in each row.
        #expect(
            text(bytes) == "\u{1B}[1;1H\u{1B}[38;2;1;2;3;48;2;4;5;255m▀▀▀▀\u{1B}[2;1H▀▀▀▀")
        bytes = []
        painter.paint(image(frame, columns: 4, rows: 2), into: &bytes)
        #expect(bytes.isEmpty)
        let changed = VideoFrame.test(width: 4, height: 4) { x, y in
            x == 2 && y == 3 ? 0x010203 : y.isMultiple(of: 2) ? 0x010203 : 0x0405FF
        }
        painter.paint(image(changed, columns: 4, rows: 2), into: &bytes)
        // Both pixels are the same, so the background is enough.
        #expect(text(bytes) == "\u{1B}[2;3H\u{1B}[48;2;1;2;3m ")
    }

    @Test func thePaletteHasShortCodes() {
        var painter = CellPainter(size: TerminalSize(columns: 1, rows: 2), colours: .palette)
        var bytes: [UInt8] = []
        let frame = VideoFrame.test(width: 1, height: 2) { _, y in y == 0 ? 0xFF0000 : 0x00FF00 }
        painter.paint(image(frame, columns: 1, rows: 1, .palette), into: &bytes)
        #expect(text(bytes) == "\u{1B}[1;1H\u{1B}[38;5;196;48;5;46m▀")
    }

    @Test func videoThatShrinksLeavesNothing() {
        var painter = CellPainter(size: TerminalSize(columns: 4, rows: 2), colours: .trueColour)
        var bytes: [UInt8] = []
        painter.paint(image(VideoFrame.test(width: 4, height: 2) { _, _ in 0xFF }, columns: 4, rows: 1), into: &bytes)
        bytes = []
        painter.paint(image(VideoFrame.test(width: 2, height: 2) { _, _ in 0xFF }, columns: 4, rows: 1), into: &bytes)
        #expect(text(bytes) == "\u{1B}[1;1H\u{1B}[49m \u{1B}[1;4H ")
    }

    @Test(arguments: TerminalColours.allCases)
    func theBytesOfAFrameAreBounded(colours: TerminalColours) {
        let size = TerminalSize(columns: 200, rows: 101)
        var painter = CellPainter(size: size, colours: colours)
        for shift in [0, 90] {
            var bytes: [UInt8] = []
            let frame = VideoFrame.gradient(width: 200, height: 200, shift: shift)
            painter.paint(image(frame, columns: 200, rows: 100, colours), into: &bytes)
            #expect(bytes.count > 20_000)
            #expect(bytes.count <= 200 * 100 * CellPainter.mostBytesPerCell)
        }
    }

    // MARK: Terminals

    @Test func theEnvironmentDecides() throws {
        func announced(_ environment: [String: String], isTerminal: Bool = true) throws -> TerminalColours {
            try TerminalColours.announced(by: environment, isTerminal: isTerminal)
        }
        #expect(try announced(["TERM": "xterm-256color"]) == .palette)
        #expect(try announced(["TERM": "xterm-256color", "COLORTERM": "truecolor"]) == .trueColour)
        #expect(try announced(["TERM": "xterm", "COLORTERM": "24bit", "NO_COLOR": ""]) == .trueColour)
        #expect(try announced(["TERM": "xterm-direct"]) == .trueColour)
        #expect(throws: TerminalViewError.noTerminal) { try announced(["TERM": "xterm-256color"], isTerminal: false) }
        #expect(throws: TerminalViewError.noColour) { try announced(["TERM": "xterm-256color", "NO_COLOR": "1"]) }
        #expect(throws: TerminalViewError.dumbTerminal) { try announced(["TERM": "dumb", "COLORTERM": "truecolor"]) }
        #expect(throws: TerminalViewError.dumbTerminal) { try announced([:]) }
        #expect(throws: TerminalViewError.fewColours) { try announced(["TERM": "linux"]) }
        for error in TerminalViewError.allCases { #expect(error.localizedDescription.hasPrefix("No video")) }
    }

    // MARK: Text

    @Test func textOfStrangersIsHarmless() {
        let title = "a\u{1B}[2Jb\u{9B}c\u{7}d\ne\u{2028}f\u{202E}g\u{2066}h\u{200F}i"
        #expect(title.cut(toTerminalColumns: 80) == "a[2Jbcdefghi")
        let marks = "x" + String(repeating: "\u{301}", count: 10_000)
        #expect(marks.cut(toTerminalColumns: 80).unicodeScalars.count <= 8)
        #expect("映画.mp4".cut(toTerminalColumns: 3) == "映")
        #expect("映画.mp4".terminalColumns == 8)
        #expect("e\u{301}".terminalColumns == 1)
        #expect("\u{1B}\u{1B}".cut(toTerminalColumns: 0).isEmpty)
        #expect("שלום".cut(toTerminalColumns: 3) == "שלו")
    }
}
