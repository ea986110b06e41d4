import Foundation

/// The error that a delegate receives when playback fails.
public enum PlayerError: Error {
    /// The video platform's answer is not a configuration that can be played.
    case invalidConfig
    /// The video platform refused the access token, or none is set.
    case invalidAccessToken
    /// The item cannot be played. The error inside is always a `PlaybackError`.
    case playbackError(any Error)

    init(_ error: PlaybackError) {
        switch error.code {
        case .invalidConfig: self = .invalidConfig
        case .invalidAccessToken: self = .invalidAccessToken
        default: self = .playbackError(error)
        }
    }

    /// The error inside, with its code and what to do about it; `nil` for the two errors of the video platform, whose
    /// details are in the player's `events`.
    public var playbackError: PlaybackError? {
        guard case .playbackError(let error) = self else { return nil }
        return error as? PlaybackError
    }
}

extension PlayerError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .invalidConfig: Self.text(of: .invalidConfig)
        case .invalidAccessToken: Self.text(of: .invalidAccessToken)
        case .playbackError(let error): (error as? PlaybackError)?.message ?? error.localizedDescription
        }
    }

    private static func text(of code: PlaybackErrorCode) -> String { PlaybackError(code, url: nil).message }
}

extension PlayerError: Equatable {
    /// Errors from elsewhere, which this SDK never gives, equal none.
    public static func == (a: PlayerError, b: PlayerError) -> Bool {
        switch (a, b) {
        case (.invalidConfig, .invalidConfig), (.invalidAccessToken, .invalidAccessToken): true
        default: a.playbackError.map { $0 == b.playbackError } ?? false
        }
    }
}
