import PlayerControls

/// Decodes the bytes of a terminal to keys.
struct KeyParser {
    private static let arrows: [UInt8: ControlsKey] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    ]

    private var pending: [UInt8] = []

    /// Decodes bytes. An escape sequence may be split between two calls.
    mutating func keys(in bytes: some Sequence<UInt8>) -> [ControlsKey] {
        var keys: [ControlsKey] = []
        for byte in bytes {
            pending.append(byte)
            if let key = takeKey() { keys.append(key) }
        }
        return keys
    }

    private mutating func takeKey() -> ControlsKey? {
        guard pending[0] == 0x1B else {
            defer { pending = [] }
            return .character(Character(UnicodeScalar(pending[0])))
        }
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
            // A single escape, followed by another key.
            pending.removeFirst()
            return takeKey()
        }
        guard let last = pending.dropFirst(2).last, (0x40...0x7E).contains(last) else { return nil }
        defer { pending = [] }
        return pending.count == 3 ? Self.arrows[last] : nil
    }
}
