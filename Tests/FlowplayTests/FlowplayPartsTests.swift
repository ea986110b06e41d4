import FlowplayerSDK
import FlowplayerTerminal
import Foundation
import Testing

@testable import PlayerControls
@testable import flowplay

@Suite struct FlowplayPartsTests {
    // MARK: Arguments

    @Test(arguments: ["what?.mp4", "100%.mp4", "#1.mp4", "a b.mp4", "ünïcödé.mp4", "~", "-", "C:odd.mp4", "a:b"])
    func aPathIsTakenByteForByte(name: String) throws {
        let argument = try MediaArgument("/media/" + name, fileExists: { _ in true })
        #expect(argument.url.isFileURL)
        #expect(argument.url.path(percentEncoded: false) == "/media/" + name)
        #expect(argument.name == name)
    }

    @Test func aFileComesBeforeAnAddress() throws {
        #expect(try MediaArgument("http://host", fileExists: { _ in true }).url.isFileURL)
        #expect(try !MediaArgument("http://host", fileExists: { _ in false }).url.isFileURL)
        #expect(try MediaArgument("no-scheme", fileExists: { _ in false }).url.isFileURL)
        #expect(try MediaArgument("http://host/a/b.mp4?x=1", fileExists: { _ in false }).name == "b.mp4")
        #expect(try MediaArgument("http://host", fileExists: { _ in false }).name == "host")
    }

    // MARK: Status line

    private let status = Status(state: .play, position: 65, duration: 3700, volume: 0.8, rate: 1.25)

    @Test func theLineShowsEverything() {
        let line = StatusLine.text(status, name: "clip.mp4", columns: 100)
        #expect(line.hasPrefix("play     1:05 / 1:01:40  [>"))
        #expect(line.hasSuffix("vol 80%   1.25x  clip.mp4"))
    }

    @Test func theBarMarksTheBreaksThatFollow() {
        var status = Status(state: .play, position: 5, duration: 10, volume: 1, rate: 1)
        status.adMarks = [0, 0.1, 0.75, 1]
        let line = StatusLine.text(status, name: "", columns: 200)
        let dashes = String(repeating: "-", count: 8)
        #expect(line.contains("=>\(dashes)|\(dashes)|]"), "\(line)")
    }

    @Test(arguments: 1...120)
    func theLineFitsEveryWidth(columns: Int) {
        let name = "映画の長い名前 \u{202E}שלום\u{2028} with \u{1B}[31mcolours\u{7} and 🎬 and é.mp4"
        let line = StatusLine.text(status, name: name, columns: columns)
        #expect(line.terminalColumns < columns)
        let unwanted: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
        #expect(!line.unicodeScalars.contains { unwanted.contains($0.properties.generalCategory) })
    }

    @Test func anUnknownLengthAndMuteHaveTheirSigns() {
        let live = Status(state: .buffer, position: 5, duration: nil, volume: nil, rate: 1)
        let line = StatusLine.text(live, name: "live", columns: 80)
        #expect(line.hasPrefix("buffer   0:05  ["))
        #expect(line.contains("muted     1x  live"))
    }

    // MARK: Keys

    @Test func keysAreReadAlsoInPieces() {
        var parser = KeyParser()
        #expect(
            parser.keys(in: Array("\u{1B}[Am \u{1B}[D\u{1B}OC]".utf8), at: .zero) == [
                .up, .character("m"), .character(" "), .left, .right, .character("]"),
            ])
        #expect(parser.keys(in: [0x1B], at: .zero).isEmpty)
        #expect(parser.keys(in: [UInt8(ascii: "[")], at: .zero).isEmpty)
        #expect(parser.keys(in: [UInt8(ascii: "B")], at: .zero) == [.down])
    }

    @Test func unknownSequencesAreSwallowedWhole() {
        var parser = KeyParser()
        #expect(parser.keys(in: Array("\u{1B}[1;5D\u{1B}[15~q".utf8), at: .zero) == [.character("q")])
        #expect(parser.keys(in: Array("\u{1B}q".utf8), at: .zero) == [.character("q")])
    }

    @Test func keysOfTheSixKeyBlockAreKnown() {
        var parser = KeyParser()
        let keys = parser.keys(in: Array("\u{1B}[H\u{1B}[1~\u{1B}OH\u{1B}[5~\u{1B}[6~\u{7F}".utf8), at: .zero)
        #expect(keys == [.home, .home, .home, .pageUp, .pageDown, .backspace])
    }

    @Test func anEscapeKeyTakesNoLaterKey() {
        var parser = KeyParser()
        #expect(parser.keys(in: [0x1B], at: .zero).isEmpty)
        #expect(parser.keys(in: [UInt8(ascii: "[")], at: .seconds(2)) == [.character("[")])
        #expect(parser.keys(in: [UInt8(ascii: "q")], at: .seconds(4)) == [.character("q")])
    }

    @Test func anEscapeIsAKeyWhenNothingFollows() {
        var parser = KeyParser()
        #expect(parser.keys(in: [0x1B], at: .zero).isEmpty)
        let escapes = [50, 100, 200].map { parser.takeEscape(at: .milliseconds($0)) }
        #expect(escapes == [false, true, false])
        #expect(parser.keys(in: Array("\u{1B}[A".utf8), at: .seconds(1)) == [.up])
        let isEscape = parser.takeEscape(at: .seconds(2))
        #expect(!isEscape)
    }

    // MARK: Typed times

    @Test(arguments: [
        ("1:30\n", "1:30"), ("50%\r", "50%"), ("xg1 \n", "1"), ("129\u{7F}\u{7F}0\n", "10"),
        ("12345678901234\n", "123456789012"),
    ])
    func aTimeIsTyped(bytes: String, text: String) {
        var (parser, entry) = (KeyParser(), TimeEntry())
        let steps = parser.keys(in: Array(bytes.utf8), at: .zero).map { entry.press($0) }
        #expect(steps.last == .finished(text))
        #expect(steps.dropLast().allSatisfy { $0 == .typing })
        #expect(entry.prompt.hasSuffix("\(text)_"))
    }

    @Test func typingCanBeCancelled() {
        var entry = TimeEntry()
        let steps = [.enter, .character("1"), .escape].map { entry.press($0) }
        #expect(steps == [.cancelled, .typing, .cancelled], "without text, Enter cancels too")
    }

    // MARK: Subtitles without video

    @Test(arguments: [
        "1\r\n00:00:01,000 --> 00:00:03,500\r\nOne <i>line</i>\r\nand another\r\n\r\n2\r\n00:01:02,5 --> 1:00:00,0\r\nLate\r\n",
        "WEBVTT\n\n00:01.000 --> 00:03.500 align:start\nOne line\nand another\n\nNOTE x\n\n01:02.5 --> 1:00:00.0\nLate",
    ])
    func linesHaveTheirTimes(content: String) {
        let lines = SubtitleLines(content)
        #expect(
            [0.9, 1, 3.4, 3.5, 62.4, 62.5, 3599].map(lines.text) == [
                "", "One line\nand another", "One line\nand another", "", "", "Late", "Late",
            ])
    }

    @Test(arguments: ["", "-->", "a --> b\nc", "00:01 -->\nx", "99:99:99:99 --> 1:1:1:1:1\nx"])
    func wrongLinesAreLeftOut(content: String) { #expect(SubtitleLines(content).text(at: 1).isEmpty) }

    // MARK: The start

    @Test(arguments: [
        ("90", 90.0), ("1:30", 90), ("1:02:03.5", 3723.5), ("0", 0), ("50%", 60), ("-10", 110), ("-3:00", 0),
    ])
    func aStartHasManyForms(argument: String, seconds: Double) throws {
        #expect(WrittenPosition(argument)?.seconds(in: 120) == seconds)
    }

    @Test(arguments: ["", "-", "x", "1:60", "1:2:3:4", "101%", "%", "nan", "inf", "--5"])
    func aWrongStartIsRefused(argument: String) { #expect(WrittenPosition(argument) == nil) }
}
