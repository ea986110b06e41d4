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
}
