import Foundation

/// The error that a delegate receives when playback fails.
///
/// `case .invalidConfig:` matches without its error, and `PlayerError.invalidConfig` is a value, as in the original interface.
public enum PlayerError: Error {
    /// The video platform's answer is not a configuration that can be played, or there is no platform to ask.
    case invalidConfig(PlaybackError)
    /// The video platform refused the access token, or none is set.
    case invalidAccessToken(PlaybackError)
    /// The item cannot be played. The error inside is always a `PlaybackError`.
    case playbackError(any Error)

    /// The error of an invalid configuration, to compare with.
    public static var invalidConfig: PlayerError { .invalidConfig(PlaybackError(.invalidConfig, url: nil)) }
    /// The error of an invalid access token, to compare with.
    public static var invalidAccessToken: PlayerError {
        .invalidAccessToken(PlaybackError(.invalidAccessToken, url: nil))
    }

    init(_ error: PlaybackError) {
        switch error.code {
        case .invalidConfig, .platformMissing: self = .invalidConfig(error)
        case .invalidAccessToken: self = .invalidAccessToken(error)
        default: self = .playbackError(error)
        }
    }

    /// The error inside, with its code, its cause and what to do about it.
    public var playbackError: PlaybackError? {
        switch self {
        case .invalidConfig(let error), .invalidAccessToken(let error): error
        case .playbackError(let error): error as? PlaybackError
        }
    }
}

extension PlayerError: LocalizedError {
    public var errorDescription: String? { playbackError?.message }
}

extension PlayerError: Equatable {
    /// Two errors of the video platform are equal if their cases are. Errors from elsewhere, which this SDK never gives, equal none.
    public static func == (a: PlayerError, b: PlayerError) -> Bool {
        switch (a, b) {
        case (.invalidConfig, .invalidConfig), (.invalidAccessToken, .invalidAccessToken): true
        case (.playbackError, .playbackError): a.playbackError.map { $0 == b.playbackError } ?? false
        default: false
        }
    }
}
