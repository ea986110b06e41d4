import Testing

@testable import PlayerControls

@Suite struct KeyMapTests {
    @Test func theStandardKeysAreThoseOfDesktopPlayers() {
        let keys = KeyMap.standard
        #expect(keys[.character(" ")] == .togglePlay)
        #expect(keys[.character("k")] == .togglePlay)
        #expect(keys[.left] == .skip(by: -5))
        #expect(keys[.character("l")] == .skip(by: 10))
        #expect(keys[.character("0")] == .seekToFraction(0))
        #expect(keys[.character("9")] == .seekToFraction(0.9))
        #expect(keys[.character(">")] == .changeRate(by: 1))
        #expect(keys[.escape] == .escape)
        #expect(keys[.home] == .seek(to: 0))
        #expect(keys[.pageUp] == .skipChapters(by: 1))
        #expect(keys[.backspace] == .setRate(1))
        #expect(keys[.character("J")] == .skip(by: -60))
        #expect(keys[.character("y")] == nil)
    }

    @Test func capitalLettersFallBackToSmallOnes() {
        #expect(KeyMap.standard[.character("M")] == .toggleMute)
        #expect(KeyMap.standard[.character("N")] == .previousItem)
        #expect(KeyMap.standard[.character("n")] == .nextItem)
    }

    @Test func keysCanBeReplacedAndRemoved() {
        var keys = KeyMap.standard
        keys[.left] = .skip(by: -30)
        keys[.character("k")] = nil
        #expect(keys[.left] == .skip(by: -30))
        #expect(keys[.character("k")] == nil)
        #expect(keys.rows()[1] == KeyMap.Row(keys: "←", title: "Back 30 s"))
    }

    @Test func theListGroupsKeysByTheirAction() {
        let rows = KeyMap.standard.rows()
        #expect(rows.first == KeyMap.Row(keys: "Space, k", title: "Play or pause"))
        #expect(rows.contains(KeyMap.Row(keys: "0–9", title: "Go to 0–90 %")))
        #expect(rows.contains(KeyMap.Row(keys: "j", title: "Back 10 s")))
        #expect(rows.last == KeyMap.Row(keys: "?", title: "Show these keys"))
        #expect(!KeyMap.standard.rows { $0 != .toggleFullscreen }.contains { $0.title == "Full screen" })
    }

    @Test func theListNamesAllKeysThatAreNoRange() {
        var keys = KeyMap.standard
        for character in "xyk" { keys[.character(character)] = .togglePlay }
        for digit in "3579" { keys[.character(digit)] = .toggleMute }
        let rows = keys.rows()
        #expect(rows.first == KeyMap.Row(keys: "Space, k, x, y", title: "Play or pause"))
        #expect(rows.contains { $0.keys == "3, 5, 7, 9, m" })
    }
}
