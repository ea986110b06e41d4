/// A key of the keyboard.
public enum ControlsKey: Hashable, Sendable {
    /// The arrow keys.
    case left, right, up, down
    /// `Home`, `Page Up` and `Page Down`.
    case home, pageUp, pageDown
    /// The key above `Enter` that deletes.
    case backspace
    /// The key `Enter`, also that of the number pad.
    case enter
    /// The key `Esc`.
    case escape
    /// The key of a character, also of the space. Letters are in lower case unless Shift is pressed.
    case character(Character)

    /// The name of the key in lists: `Space`, `←`, `m`.
    public var name: String {
        switch self {
        case .left: "←"
        case .right: "→"
        case .up: "↑"
        case .down: "↓"
        case .home: "Home"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .backspace: "Backspace"
        case .enter: "Enter"
        case .escape: "Esc"
        case .character(" "): "Space"
        case .character(let character): String(character)
        }
    }
}

/// The actions of keys, as data.
///
/// ```swift
/// var keys = KeyMap.standard
/// keys[.character("z")] = .skip(by: -30)
/// ```
public struct KeyMap: Hashable, Sendable {
    /// A row of the list of keys.
    public struct Row: Hashable, Sendable {
        /// The names of the keys: `Space, k` or `0–9`.
        public let keys: String
        /// The title of the action.
        public let title: String
    }

    private var bindings: [Binding] = []

    private struct Binding: Hashable {
        let key: ControlsKey
        let action: ControlsAction
    }

    /// Creates a map without keys.
    public init() {}

    /// The action of a key; `nil` if it has none. A capital letter without an action has that of the small one.
    ///
    /// Setting an action replaces that of the key. Setting `nil` removes it.
    public subscript(key: ControlsKey) -> ControlsAction? {
        get {
            if let binding = bindings.first(where: { $0.key == key }) { return binding.action }
            guard case .character(let character) = key, character.isUppercase else { return nil }
            return self[.character(Character(character.lowercased()))]
        }
        set {
            let index = bindings.firstIndex { $0.key == key }
            bindings.removeAll { $0.key == key }
            guard let newValue else { return }
            bindings.insert(Binding(key: key, action: newValue), at: index ?? bindings.count)
        }
    }

    /// Returns the list of keys, in the order in which they were set. Keys with the same title share a row.
    ///
    /// - Parameter isSupported: returns `false` for actions that the view does not offer. Their keys are left out.
    public func rows(where isSupported: (ControlsAction) -> Bool = { _ in true }) -> [Row] {
        var keys: [String: [String]] = [:]
        var titles: [String] = []
        for binding in bindings where isSupported(binding.action) {
            let title = binding.action.title
            if keys[title] == nil { titles.append(title) }
            keys[title, default: []].append(binding.key.name)
        }
        return titles.map { Row(keys: Self.list(keys[$0, default: []]), title: $0) }
    }

    /// Returns the names of keys: a range for digits that follow each other.
    private static func list(_ names: [String]) -> String {
        guard names.count > 3, let first = Int(names[0]), names == (first..<first + names.count).map(String.init) else {
            return names.joined(separator: ", ")
        }
        return "\(names[0])–\(names[names.count - 1])"
    }

    /// The keys that users of desktop players know.
    public static let standard: KeyMap = {
        var keys = KeyMap()
        keys[.character(" ")] = .togglePlay
        keys[.character("k")] = .togglePlay
        keys[.left] = .skip(by: -5)
        keys[.right] = .skip(by: 5)
        keys[.character("j")] = .skip(by: -10)
        keys[.character("l")] = .skip(by: 10)
        keys[.character("J")] = .skip(by: -60)
        keys[.character("L")] = .skip(by: 60)
        keys[.character(",")] = .stepFrames(by: -1)
        keys[.character(".")] = .stepFrames(by: 1)
        keys[.home] = .seek(to: 0)
        keys[.character("g")] = .enterTime
        keys[.pageDown] = .skipChapters(by: -1)
        keys[.pageUp] = .skipChapters(by: 1)
        keys[.character("b")] = .markLoop
        for digit in 0...9 { keys[.character(Character("\(digit)"))] = .seekToFraction(Double(digit) / 10) }
        keys[.up] = .changeVolume(by: 0.05)
        keys[.down] = .changeVolume(by: -0.05)
        keys[.character("m")] = .toggleMute
        keys[.character("<")] = .changeRate(by: -1)
        keys[.character(">")] = .changeRate(by: 1)
        keys[.backspace] = .setRate(1)
        keys[.character("a")] = .selectNextAudio
        keys[.character("c")] = .selectNextSubtitle
        keys[.character("z")] = .changeSubtitleDelay(by: -0.1)
        keys[.character("x")] = .changeSubtitleDelay(by: 0.1)
        keys[.enter] = .skipAd
        keys[.character("o")] = .clickAd
        keys[.character("f")] = .toggleFullscreen
        keys[.character("p")] = .togglePictureInPicture
        keys[.character("n")] = .nextItem
        keys[.character("N")] = .previousItem
        keys[.escape] = .escape
        keys[.character("?")] = .toggleKeyList
        return keys
    }()
}
