import Foundation

/// Something that was done before playback was given up. More cases may come.
public enum PlaybackRemedy: Codable, Hashable, Sendable {
    /// The same was tried again, so often, within so many seconds.
    case retried(times: Int, seconds: Double)
    /// An answer was waited for, so many seconds.
    case waited(seconds: Double)
    /// A `MediaURLProvider` was asked for another address.
    case askedForAddress

    /// As a sentence for people.
    public var sentence: String {
        switch self {
        case .retried(1, let seconds): "It was tried once more, within \(seconds.tenths) s."
        case .retried(let times, let seconds): "It was tried \(times) more times, within \(seconds.tenths) s."
        case .waited(let seconds): "Nothing came for \(seconds.tenths) s."
        case .askedForAddress: "Another address was asked for."
        }
    }

    /// Both as one; `nil` if they are of two kinds.
    func together(with other: PlaybackRemedy) -> PlaybackRemedy? {
        switch (self, other) {
        case (.retried(let times, let seconds), .retried(let more, let later)):
            .retried(times: times + more, seconds: max(seconds, later))
        case (.waited(let seconds), .waited(let later)): .waited(seconds: max(seconds, later))
        case (.askedForAddress, .askedForAddress): self
        default: nil
        }
    }
}

extension Double {
    fileprivate var tenths: String { String(format: "%.1f", self) }
}
