import Foundation
import Playback
import Synchronization
import TestSupport
import Testing

@testable import FlowplayerTerminal

/// The view in a terminal under tmux, and at a pipe that is read slowly.
@Suite struct TerminalViewTests {
    /// A terminal that shows nothing, and the descriptor of its device.
    private func terminal(columns: Int, rows: Int) async throws -> (session: TerminalSession, device: FileHandle) {
        let shell = ["sh", "-c", "stty -echo; echo ready; exec sleep 600"]
        let session = try await TerminalSession(columns: columns, rows: rows, shell: shell, greeting: "ready")
        let device = try #require(FileHandle(forUpdatingAtPath: try await session.device))
        return (session, device)
    }

    /// The rows that half blocks of a frame have, if it fills them.
    private func halfBlocks(_ frame: VideoFrame, columns: Int, rows: Int, palette: Bool = false) -> [[TerminalCells
        .Cell]]
    {
        let colours: TerminalColours = palette ? .palette : .trueColour
        let image = CellImage(frame, size: TerminalSize(columns: columns, rows: rows + 1), colours: colours)
        func text(_ colour: UInt32) -> String { palette ? "\(colour)" : colour.hex }
        return (0..<rows).map { row in
            image.cells[row * columns..<(row + 1) * columns].map { TerminalCells.Cell(text($0.top), text($0.bottom)) }
        }
    }

    @Test(arguments: [false, true])
    func theTerminalShowsTheFrameAndTheStatusLine(palette: Bool) async throws {
        let (session, device) = try await terminal(columns: 40, rows: 13)
        let environment = ["TERM": "xterm-256color", "COLORTERM": palette ? "" : "truecolor"]
        let view = try TerminalView(output: device.fileDescriptor, environment: environment)
        view.enter()
        view.show(status: "status\u{1B}[1;1H 1:05")
        let frame = VideoFrame.gradient(width: 40, height: 24)
        view.receive(frame)
        let expected = halfBlocks(frame, columns: 40, rows: 12, palette: palette)
        var shown = TerminalCells("")
        let isShown = try await eventually {
            shown = TerminalCells(try await session.colouredScreen)
            return Array(shown.rows.prefix(12)) == expected
        }
        #expect(isShown, "\(shown)")
        #expect(try await session.screen.split(separator: "\n").last == "status[1;1H 1:05")
        #expect(try await session.value("#{alternate_on} #{cursor_flag}") == "1 0")
        view.leave()
        #expect(try await eventually { try await session.value("#{alternate_on} #{cursor_flag}") == "0 1" })
        #expect(try await session.screen.hasPrefix("ready"))
        // Nothing is drawn from now on.
        view.receive(.gradient(width: 40, height: 24, shift: 7))
        view.show(status: "late")
        await view.drawn()
        #expect(try await session.screen.hasPrefix("ready"))
    }

    @Test func aNewSizeIsDrawnAgain() async throws {
        let (session, device) = try await terminal(columns: 40, rows: 13)
        let view = try TerminalView(
            output: device.fileDescriptor, environment: ["TERM": "xterm", "COLORTERM": "truecolor"])
        view.enter()
        let frame = VideoFrame.gradient(width: 40, height: 24)
        view.receive(frame)
        view.show(status: "status")
        #expect(try await session.shows("status"))
        for (columns, rows) in [(20, 7), (80, 25), (1, 1), (2, 2), (40, 13)] {
            try await session.resize(columns: columns, rows: rows)
            #expect(await eventually { TerminalSize.of(device.fileDescriptor).columns == columns })
            view.resize()
            let expected = halfBlocks(frame, columns: columns, rows: rows - 1)
            let status = String("status".prefix(columns))
            let isShown = try await eventually {
                let lines = TerminalCells(try await session.colouredScreen).rows
                let last = try await session.screen.split(separator: "\n").last
                return Array(lines.prefix(rows - 1)) == expected && last.map(String.init) == status
            }
            #expect(isShown, "\(columns) × \(rows)")
        }
        view.leave()
    }

    @Test func smallChangesOfTheSizeKeepTheFrames() async {
        let size = Mutex(TerminalSize(columns: 80, rows: 24))
        let pipe = Pipe()
        let view = TerminalView(output: pipe.fileHandleForWriting.fileDescriptor, colours: .trueColour) {
            size.withLock { $0 }
        }
        #expect(view.maximumFrameSize == VideoSize(width: 128, height: 64))
        size.withLock { $0.columns = 100 }
        #expect(!view.resize())
        #expect(view.columns == 100)
        size.withLock { $0.columns = 200 }
        #expect(view.resize())
        #expect(view.maximumFrameSize == VideoSize(width: 256, height: 64))
    }

    @Test func aSlowReaderSkipsFrames() async throws {
        let pipe = Pipe()
        let (reader, writer) = (pipe.fileHandleForReading.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor)
        let size = TerminalSize(columns: 80, rows: 25)
        let view = TerminalView(output: writer, colours: .trueColour) { size }
        view.enter()
        let most = size.columns * size.videoRows * CellPainter.mostBytesPerCell + 200
        for shift in 0..<500 {
            view.receive(.gradient(width: 80, height: 48, shift: shift))
            await view.drawn()
            #expect(await view.pendingBytes <= most)
        }
        // The pipe holds 64 KiB, which is less than two frames.
        #expect(await view.writeCount <= 4)
        let last = VideoFrame.gradient(width: 80, height: 48, shift: 500)
        view.receive(last)

        // The reader takes a little at a time, until the newest frame has come.
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        var screen = DecodedScreen(columns: 80, rows: 24)
        let expected = halfBlocks(last, columns: 80, rows: 24)
        var buffer = [UInt8](repeating: 0, count: 1000)
        let isShown = await eventually {
            while true {
                let count = read(reader, &buffer, buffer.count)
                guard count > 0 else { break }
                screen.take(buffer.prefix(count))
            }
            return screen.rows == expected
        }
        #expect(isShown)
        #expect(await view.writeCount <= 6)
        view.leave()
    }

    /// A terminal whose reader has stopped, or whose user has pressed Ctrl-S.
    @Test(arguments: [false, true])
    func aStoppedTerminalIsRestoredWhenItContinues(byCtrlS: Bool) async throws {
        var (master, slave): (Int32, Int32) = (0, 0)
        var size = winsize(ws_row: 25, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&master, &slave, nil, nil, &size) == 0)
        defer { for descriptor in [master, slave] { close(descriptor) } }
        let view = try TerminalView(output: slave, environment: ["TERM": "xterm", "COLORTERM": "truecolor"])
        view.enter()
        await view.drawn()
        if byCtrlS { tcflow(slave, TCOOFF) }
        for shift in 0..<200 {
            view.receive(.gradient(width: 80, height: 48, shift: shift))
            await view.drawn()
            #expect(await view.pendingBytes <= 80 * 24 * CellPainter.mostBytesPerCell + 200)
        }
        #expect(await view.pendingBytes > 0)
        #expect(await view.writeCount <= 3)
        view.leave()
        #expect(await view.pendingBytes == 0)

        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        var (text, buffer) = ("", [UInt8](repeating: 0, count: 1000))
        let isRestored = await eventually {
            while case let count = read(master, &buffer, buffer.count), count > 0 {
                text += String(decoding: buffer.prefix(count), as: UTF8.self)
            }
            return text.hasSuffix(TerminalView.leaveSequence)
        }
        #expect(isRestored, "\(text.suffix(100).debugDescription)")
    }

    @Test func aClosedTerminalIsIgnored() async throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let view = TerminalView(output: pipe.fileHandleForWriting.fileDescriptor, colours: .trueColour) {
            TerminalSize(columns: 80, rows: 25)
        }
        view.enter()
        try pipe.fileHandleForReading.close()
        for shift in 0..<3 {
            view.receive(.gradient(width: 80, height: 48, shift: shift))
            await view.drawn()
            #expect(await view.pendingBytes == 0)
        }
        view.leave()
    }
}

extension TerminalView {
    /// Waits for the scheduled draws. The compiler removes the wait of an empty function.
    func drawn() async { _ = writeCount }
}

/// A screen that understands what the view writes.
private struct DecodedScreen {
    private var cells: [[TerminalCells.Cell]]
    private var pending: [UInt8] = []
    private var (foreground, background) = ("-", "-")
    private var (row, column) = (0, 0)

    init(columns: Int, rows: Int) {
        cells = Array(repeating: Array(repeating: TerminalCells.Cell("-", "-"), count: columns), count: rows)
    }

    var rows: [[TerminalCells.Cell]] { cells }

    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            pending.append(byte)
            switch pending[0] {
            case 0x1B where byte >= 0x40 && byte != UInt8(ascii: "["):
                let body = String(decoding: pending.dropFirst(2).dropLast(), as: UTF8.self)
                let numbers = body.split(separator: ";").map { Int($0) ?? 0 }
                if byte == UInt8(ascii: "H") { (row, column) = (numbers[0] - 1, numbers[1] - 1) }
                if byte == UInt8(ascii: "m") { colour(numbers) }
                pending = []
            case 0x1B: break
            case 0x20: put(TerminalCells.Cell(background, background))
            case 0xE2: if pending.count == 3 { put(TerminalCells.Cell(foreground, background)) }
            default: pending = []
            }
        }
    }

    private mutating func put(_ cell: TerminalCells.Cell) {
        cells[row][column] = cell
        column += 1
        pending = []
    }

    private mutating func colour(_ codes: [Int]) {
        var rest = codes[...]
        while rest.count >= 5 {
            let colour = UInt32(
                rest[rest.startIndex + 2] << 16 | rest[rest.startIndex + 3] << 8 | rest[rest.startIndex + 4])
            if rest.first == 38 { foreground = colour.hex } else { background = colour.hex }
            rest = rest.dropFirst(5)
        }
    }
}
