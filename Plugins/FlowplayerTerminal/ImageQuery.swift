/// Asks a terminal whether it shows images, and finds its answer among the keys of the user.
///
/// The query has two parts. Every terminal answers the second one, so its answer ends the query.
struct ImageQuery {
    private enum State {
        case notAsked
        /// `pending` may be the beginning of an answer.
        case waiting(pending: [UInt8])
        case answered
    }

    private static let number = "31"
    /// An image of one pixel that is not shown, and the request for the attributes of the terminal.
    private static let query = "\u{1B}_Gi=\(number),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"
    /// An answer is short. Anything longer is none.
    private static let longestAnswer = 256

    /// `true` once the terminal has said that it shows images.
    private(set) var hasImages = false
    private var state = State.notAsked

    /// `true` from the query to the end of the answer.
    var isWaiting: Bool { if case .waiting = state { true } else { false } }

    /// The query, the first time; nothing afterwards.
    mutating func ask() -> String {
        guard case .notAsked = state else { return "" }
        state = .waiting(pending: [])
        return Self.query
    }

    /// Returns the input without the answer.
    mutating func keys(in input: some Sequence<UInt8>) -> [UInt8] {
        var keys: [UInt8] = []
        for byte in input {
            guard case .waiting(var pending) = state else {
                keys.append(byte)
                continue
            }
            pending.append(byte)
            switch Self.match(pending) {
            case .maybe: state = .waiting(pending: pending)
            case .images(let hasImages):
                self.hasImages = hasImages
                state = .waiting(pending: [])
            case .end: state = .answered
            case .none:
                // The byte may begin the answer.
                let isStart = byte == 0x1B
                keys += isStart ? pending.dropLast() : pending
                state = .waiting(pending: isStart ? [byte] : [])
            }
        }
        return keys
    }

    private enum Match {
        case none, maybe
        case images(Bool)
        case end
    }

    /// Compares bytes with the two answers: `ESC _ G i=31;OK ESC \` and `ESC [ ? 62 ; 4 c`.
    private static func match(_ bytes: [UInt8]) -> Match {
        let text = String(decoding: bytes, as: UTF8.self)
        let images = "\u{1B}_Gi=\(number)"
        if bytes.count > longestAnswer { return .none }
        if images.hasPrefix(text) || "\u{1B}[?".hasPrefix(text) { return .maybe }
        if text.hasPrefix(images) {
            guard text.hasSuffix("\u{1B}\\") else { return .maybe }
            return .images(text.dropFirst(images.count) == ";OK\u{1B}\\")
        }
        guard text.hasPrefix("\u{1B}[?"), let last = bytes.last else { return .none }
        switch last {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ";"): return .maybe
        case UInt8(ascii: "c"): return .end
        default: return .none
        }
    }
}

extension ImageQuery {
    /// `false` for terminals that would take the query for something else: tmux makes a title of it.
    static func isPossible(in environment: [String: String]) -> Bool {
        let term = environment["TERM", default: ""]
        let isMultiplexer = ["TMUX", "STY"].contains { environment[$0] != nil }
        return !isMultiplexer && !["tmux", "screen"].contains { term.hasPrefix($0) }
    }
}
