import Playback
import PlayerControls

/// Decodes the bytes of a terminal to keys.
struct KeyParser {
    /// The keys that send a sequence of bytes, by the bytes after `ESC [` or `ESC O`.
    private static let sequences: [String: ControlsKey] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "1~": .home, "7~": .home, "5~": .pageUp,
        "6~": .pageDown,
    ]
    /// A terminal sends a sequence at once. Bytes after this time belong to the next key, so that `Esc` does not take them.
    static let sequenceTime = Duration.seconds(0.1)

    private var pending: [UInt8] = []
    private var lastTime = Duration.zero

    /// Decodes bytes. An escape sequence may be split between two calls.
    ///
    /// - Parameter time: the time when the bytes were read.
    mutating func keys(in bytes: some Sequence<UInt8>, at time: Duration) -> [ControlsKey] {
        if time - lastTime > Self.sequenceTime { pending = [] }
        lastTime = time
        var keys: [ControlsKey] = []
        for byte in bytes {
            pending.append(byte)
            if let key = takeKey() { keys.append(key) }
        }
        return keys
    }

    /// `true` if the last byte is an escape: the key `Esc`, or the beginning of a sequence.
    var mayBeEscape: Bool { pending == [0x1B] }

    /// Decodes an escape after which no byte has followed.
    ///
    /// - Returns: `false` if the last byte is no escape, or if the rest of its sequence may still follow.
    mutating func takeEscape(at time: Duration) -> Bool {
        guard mayBeEscape, time - lastTime >= Self.sequenceTime else { return false }
        pending = []
        return true
    }

    private mutating func takeKey() -> ControlsKey? {
        guard pending[0] == 0x1B else {
            defer { pending = [] }
            return switch pending[0] {
            case 0x7F, 8: .backspace
            case 10, 13: .enter
            default: .character(Character(UnicodeScalar(pending[0])))
            }
        }
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
            // A single escape, followed by another key.
            pending.removeFirst()
            return takeKey()
        }
        guard let last = pending.dropFirst(2).last, (0x40...0x7E).contains(last) else { return nil }
        defer { pending = [] }
        return Self.sequences[String(decoding: pending.dropFirst(2), as: UTF8.self)]
    }
}
