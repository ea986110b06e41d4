import Foundation
import Playback
import TestSupport
import Testing

@testable import FlowplayerTerminal

/// Terminals with the graphics protocol of kitty.
@Suite struct ImageTests {
    private static let yes = "\u{1B}_Gi=31;OK\u{1B}\\"
    private static let attributes = "\u{1B}[?62;52;c"

    /// Returns the keys in an input that is read in two pieces.
    private func keys(_ input: [UInt8], split: Int) -> (keys: String, query: ImageQuery) {
        var query = ImageQuery()
        _ = query.ask()
        let keys = query.keys(in: input[..<split]) + query.keys(in: input[split...])
        return (String(decoding: keys, as: UTF8.self), query)
    }

    @Test(arguments: [
        (Self.yes + Self.attributes, true), (Self.attributes, false),
        ("\u{1B}_Gi=31;ENOTSUPPORTED:no\u{1B}\\" + Self.attributes, false),
    ])
    func theAnswerIsRemovedAndNoKeyIsLost(answer: String, hasImages: Bool) {
        // Keys that begin as the answer does: the arrows, Alt and underscore, escape, F1.
        for typed in ["", "m", "\u{1B}[A", "\u{1B}_", "\u{1B}\u{1B}[B", "\u{1B}OP", "\u{1B}_G", "é\u{1B}[1;5C"] {
            let input = Array((typed + answer + "q\u{1B}[D").utf8)
            for split in 0...input.count {
                let (keys, query) = keys(input, split: split)
                #expect(keys == typed + "q\u{1B}[D", "\(typed.debugDescription) at \(split)")
                #expect(query.hasImages == hasImages)
                #expect(!query.isWaiting)
            }
        }
    }

    @Test func keysBetweenTheTwoAnswersAreKept() {
        let input = Array("a\(Self.yes)b\u{1B}[A\(Self.attributes)c".utf8)
        for split in 0...input.count { #expect(keys(input, split: split).keys == "ab\u{1B}[Ac") }
    }

    @Test func anEndlessAnswerIsInput() {
        var query = ImageQuery()
        _ = query.ask()
        let input = Array(("\u{1B}_Gi=31;" + String(repeating: "x", count: 2000)).utf8)
        #expect(query.keys(in: input) == input)
    }

    @Test func beforeTheQueryEverythingIsInput() {
        var query = ImageQuery()
        let input = Array((Self.yes + Self.attributes).utf8)
        #expect(query.keys(in: input) == input)
        #expect(!query.hasImages)
        #expect(!query.ask().isEmpty)
        #expect(query.ask().isEmpty)
    }

    @Test func multiplexersAreNeverAsked() {
        #expect(ImageQuery.isPossible(in: ["TERM": "xterm-kitty"]))
        for environment in [
            ["TERM": "xterm-256color", "TMUX": "/tmp/tmux-0/default,1,0"], ["TERM": "xterm-256color", "STY": "1.pts"],
            ["TERM": "tmux-256color"], ["TERM": "screen.xterm-256color"],
        ] {
            #expect(!ImageQuery.isPossible(in: environment))
        }
    }

    @Test func imagesHaveTheFrameAndReplaceEachOther() async throws {
        let pipe = Pipe()
        let (reader, writer) = (pipe.fileHandleForReading.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor)
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        let size = TerminalSize(columns: 40, rows: 13, cellHeight: 2, cellWidth: 10)
        let view = TerminalView(output: writer, colours: .trueColour, asksForImages: true) { size }
        let small = view.maximumFrameSize
        view.enter()
        await view.drawn()
        #expect(view.isWaitingForAnswer)
        #expect(view.keys(in: Array("m\(Self.yes)\(Self.attributes)".utf8)) == Array("m".utf8))
        #expect(!view.isWaitingForAnswer)
        #expect(small == VideoSize(width: 64, height: 64))
        #expect(view.maximumFrameSize == VideoSize(width: 448, height: 256))

        var screen = ImageScreen()
        for shift in 0..<5 {
            let frame = VideoFrame.gradient(width: 64, height: 36, shift: shift)
            view.receive(frame)
            view.show(status: "status \(shift)")
            await view.drawn()
            try screen.take(from: reader)
            #expect(screen.images.count == 1)
            // 64×36 is 400×225 in 40×12 cells of 10×20: all columns and 11 rows.
            #expect(screen.images.first?.value == ImageScreen.Image(frame, columns: 40, rows: 11))
        }
        // A status line alone sends no image.
        let count = screen.transmissions
        view.show(status: "other")
        await view.drawn()
        try screen.take(from: reader)
        #expect(screen.transmissions == count)
        view.leave()
        try screen.take(from: reader)
        #expect(screen.images.isEmpty)
        #expect(screen.text.hasSuffix(TerminalView.leaveSequence))
    }

    @Test func largeFramesAreScaled() throws {
        var painter = ImagePainter(size: TerminalSize(columns: 1, rows: 2))
        var (bytes, screen): ([UInt8], ImageScreen) = ([], ImageScreen())
        painter.paint(.gradient(width: 1281, height: 10), into: &bytes)
        try screen.take(bytes)
        let image = try #require(screen.images.first?.value)
        #expect(image.width == 427 && image.height == 4 && image.columns == 1 && image.rows == 1)
    }
}

/// A terminal that understands images.
private struct ImageScreen {
    struct Image: Equatable {
        let (width, height): (Int, Int)
        let (columns, rows): (Int, Int)
        let pixels: Data

        static func == (left: Image, right: Image) -> Bool {
            (left.width, left.height, left.columns, left.rows) == (right.width, right.height, right.columns, right.rows)
                && left.pixels == right.pixels
        }
    }

    private(set) var images: [String: Image] = [:]
    private(set) var transmissions = 0
    /// Everything without the images.
    private(set) var text = ""
    private var keys: [String: String] = [:]
    private var content = ""

    mutating func take(from descriptor: Int32) throws {
        var (buffer, bytes) = ([UInt8](repeating: 0, count: 65536), [UInt8]())
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer.prefix(count) }
        try take(bytes)
    }

    mutating func take(_ bytes: [UInt8]) throws {
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while let start = rest.range(of: "\u{1B}_G") {
            text += rest[..<start.lowerBound]
            let end = try #require(rest.range(of: "\u{1B}\\", range: start.upperBound..<rest.endIndex))
            try command(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        text += rest
    }

    private mutating func command(_ body: Substring) throws {
        let parts = body.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        var keys: [String: String] = [:]
        for pair in parts[0].split(separator: ",").map({ $0.split(separator: "=") }) {
            keys[String(pair[0])] = String(pair[1])
        }
        if keys["a"] == "d" { images[try #require(keys["i"])] = nil }
        if keys["a"] == "T" {
            self.keys = keys
            content = ""
        }
        guard let more = keys["m"] else { return }
        #expect(parts[1].utf8.count <= 4096)
        content += parts[1]
        guard more == "0" else { return }
        func number(_ key: String) -> Int { self.keys[key].flatMap { Int($0) } ?? -1 }
        transmissions += 1
        let pixels = try #require(Data(base64Encoded: content))
        #expect(pixels.count == 3 * number("s") * number("v"))
        images[try #require(self.keys["i"])] = Image(
            width: number("s"), height: number("v"), columns: number("c"), rows: number("r"), pixels: pixels)
    }
}

extension ImageScreen.Image {
    /// - Parameter frame: the content.
    init(_ frame: VideoFrame, columns: Int, rows: Int) {
        var pixels = Data()
        frame.withUnsafeBytes { bytes in
            for y in 0..<frame.height {
                for x in 0..<frame.width {
                    let place = y * frame.bytesPerRow + 4 * x
                    pixels += [bytes[place + 2], bytes[place + 1], bytes[place]]
                }
            }
        }
        self.init(width: frame.width, height: frame.height, columns: columns, rows: rows, pixels: pixels)
    }
}
