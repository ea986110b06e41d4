import Playback

/// The failures of a proxy session's answers that are not resolved.
struct ProxyFailures {
    /// The kind of an answer that was refused or broke off.
    enum Kind {
        /// A segment of a variant.
        case segment
        /// A segment of a separate rendition, such as audio.
        case rendition
        case playlist
        /// An address that the policy forbids.
        case forbidden
    }

    private var errors: [Kind: PlaybackError] = [:]
    /// The number of seeks. A failure of a segment that was requested before the last one does not matter.
    private(set) var seeks = 0

    /// The failure that explains best why the engine has no media.
    var error: PlaybackError? { errors[.segment] ?? errors[.rendition] ?? errors[.playlist] ?? errors[.forbidden] }

    /// - Parameter seeks: the number of seeks when the answer was requested; `nil` if they do not matter.
    mutating func add(_ error: PlaybackError, _ kind: Kind, seeks: Int? = nil) {
        if seeks == nil || seeks == self.seeks { errors[kind] = error }
    }

    /// The engine has received a playlist.
    mutating func resolvePlaylists() { errors[.playlist] = nil }

    /// The engine has received a whole segment. The other segments may still be missing: of the variants or of the renditions.
    mutating func resolve(_ kind: Kind) {
        for kind in [kind, .playlist, .forbidden] { errors[kind] = nil }
    }

    /// The engine requests other segments, because it seeks.
    mutating func seek() {
        errors = [:]
        seeks += 1
    }
}
