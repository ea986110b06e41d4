import Foundation
import Playback

/// Why there is no playlist to be had.
public struct PlaylistError: Error, Hashable, Sendable {
    /// What went wrong, under a name that stays as it is. More may come.
    public struct Code: Hashable, Sendable {
        /// For logs.
        public let name: String

        /// There is no such file or folder.
        public static let notFound = Self(name: "notFound")
        /// The file or folder can't be read, or is something else: a pipe, a device.
        public static let unreadable = Self(name: "unreadable")
        /// Nothing is in the list, not even a header.
        public static let empty = Self(name: "empty")
        /// The list is larger than `Playlist.byteLimit`.
        public static let tooLarge = Self(name: "tooLarge")
        /// What is there is no playlist of a known format.
        public static let unrecognised = Self(name: "unrecognised")
        /// The format is known, but nothing can be read from it.
        public static let malformed = Self(name: "malformed")
        /// The server could not be reached or did not answer in time.
        public static let network = Self(name: "network")
        /// The server refused; `PlaylistError.httpStatus` has its status.
        public static let httpStatus = Self(name: "httpStatus")
        /// Lists are read from `file`, `http` and `https` alone.
        public static let unsupportedScheme = Self(name: "unsupportedScheme")

        private init(name: String) { self.name = name }
    }

    /// What went wrong, for programs.
    public let code: Code
    /// What went wrong, in sentences for people.
    public let message: String
    /// The list's address without credentials and query.
    public let url: String
    /// The line at which reading ended, from 1, where that is known.
    public let line: Int?
    /// The status with which a server refused; `nil` where none did.
    public let httpStatus: Int?

    init(_ code: Code, url: URL, detail: String? = nil, line: Int? = nil, httpStatus: Int? = nil) {
        self.code = code
        self.url = url.redacted
        self.line = line
        self.httpStatus = httpStatus
        message = detail ?? Self.summary(of: code)
    }

    /// The same as an error of playback, for hosts that tell all errors in one way.
    public var playbackError: PlaybackError {
        let code: PlaybackErrorCode =
            switch self.code {
            case .notFound: .fileNotFound
            case .unreadable: .readFailed
            case .empty: .emptyFile
            case .network: .connectionFailed
            case .httpStatus: .httpStatus
            case .unsupportedScheme: .unsupportedScheme
            default: .unrecognisedFormat
            }
        let address = url.hasPrefix("/") ? URL(filePath: url) : URL(string: url)
        return PlaybackError(code, url: address, httpStatus: httpStatus, detail: message)
    }

    private static func summary(of code: Code) -> String {
        switch code {
        case .notFound: "There is no such playlist."
        case .unreadable: "The playlist could not be read."
        case .empty: "The playlist is empty."
        case .tooLarge: "The playlist is larger than \(Playlist.byteLimit >> 20) MB."
        case .unrecognised: "This is not a playlist in a known format."
        case .malformed: "The playlist is damaged."
        case .network: "The connection to the server failed."
        case .httpStatus: "The server refused to give the playlist."
        default: "Playlists are read from files, http: and https: only."
        }
    }
}

extension PlaylistError: LocalizedError {
    public var errorDescription: String? { message }
}
