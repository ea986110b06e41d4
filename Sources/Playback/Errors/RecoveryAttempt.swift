/// An attempt to recover before the failure was reported. Later versions may add cases.
@nonexhaustive
public enum RecoveryAttempt: Codable, Hashable, Sendable {
    /// The request was repeated.
    case retried(times: Int, seconds: Double)
    /// The player waited for data.
    case waited(seconds: Double)
    /// A `MediaURLProvider` gave no address.
    case askedForAddress
    /// Another engine could not play the item. The summary is that of its error.
    case engine(name: String, summary: String)

    /// A description in one sentence.
    public var sentence: String {
        switch self {
        case .retried(1, let seconds): "Retried once in \(seconds.text(places: 1)) s."
        case .retried(let times, let seconds): "Retried \(times) times in \(seconds.text(places: 1)) s."
        case .waited(let seconds): "Waited \(seconds.text(places: 1)) s."
        case .askedForAddress: "A new address was requested."
        case .engine(let name, let summary): "The engine \(name) reported: \(summary)"
        }
    }

    /// Both attempts as one; `nil` if their kinds differ.
    func together(with other: RecoveryAttempt) -> RecoveryAttempt? {
        switch (self, other) {
        case (.retried(let times, let seconds), .retried(let more, let later)):
            .retried(times: times + more, seconds: max(seconds, later))
        case (.waited(let seconds), .waited(let later)): .waited(seconds: max(seconds, later))
        case (.askedForAddress, .askedForAddress): self
        default: nil
        }
    }
}
