import PlayerControls

extension KeyMap {
    /// The keys of `flowplay`: the usual ones, except those of a window.
    static let flowplay: KeyMap = {
        var keys = KeyMap.standard
        for key in [ControlsKey.escape, .character("f")] { keys[key] = nil }
        keys[.character("h")] = .toggleKeyList
        keys[.character("[")] = .changeRate(by: -1)
        keys[.character("]")] = .changeRate(by: 1)
        keys[.character("p")] = .previousItem
        return keys
    }()

    /// A line for each key of `flowplay`, with its title.
    static let flowplayLines: [String] = {
        let own = [
            ("s", "Save the frame as flowplay-1.png"), ("q", "Quit"), ("Ctrl-Z", "To the background; fg returns"),
        ]
        let rows = flowplay.rows().map { ($0.keys, $0.title) } + own
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0.padding(toLength: width, withPad: " ", startingAt: 0))  \($1)" }
    }()
}
