import Foundation
import Playback

/// The error of a playlist that cannot be loaded.
public struct PlaylistError: Error, Hashable, Sendable {
    /// The kind of error. Names are stable, and new codes may be added.
    public struct Code: Hashable, Sendable {
        /// The name for logs.
        public let name: String
        let summary: String
        let playbackCode: PlaybackErrorCode

        /// There is no such file or folder.
        public static let notFound = Self("notFound", "There is no such playlist.", .fileNotFound)
        /// The file or folder cannot be read, or is a pipe or a device.
        public static let unreadable = Self("unreadable", "The playlist could not be read.", .readFailed)
        /// The list is empty and has no header.
        public static let empty = Self("empty", "The playlist is empty.", .emptyFile)
        /// The list is larger than `Playlist.byteLimit`.
        public static let tooLarge = Self(
            "tooLarge", "The playlist is larger than \(Playlist.byteLimit >> 20) MB.", .unrecognisedFormat)
        /// The data is not a playlist of a known format.
        public static let unrecognised = Self(
            "unrecognised", "This is not a playlist in a known format.", .unrecognisedFormat)
        /// The format is known, but no entry can be read.
        public static let malformed = Self("malformed", "The playlist is damaged.", .unrecognisedFormat)
        /// The server could not be reached or did not answer in time.
        public static let network = Self("network", "The connection to the server failed.", .connectionFailed)
        /// The server refused; `PlaylistError.httpStatus` has its status.
        public static let httpStatus = Self("httpStatus", "The server refused to give the playlist.", .httpStatus)
        /// Playlists are read from `file`, `http` and `https` only.
        public static let unsupportedScheme = Self(
            "unsupportedScheme", "Playlists are read from files, http: and https: only.", .unsupportedScheme)

        private init(_ name: String, _ summary: String, _ playbackCode: PlaybackErrorCode) {
            self.name = name
            self.summary = summary
            self.playbackCode = playbackCode
        }
    }

    /// The kind of error.
    public let code: Code
    /// A description for people.
    public let message: String
    /// The URL of the list, without credentials and query.
    public let url: String
    /// The line at which reading stopped, counted from 1; `nil` if it is unknown.
    public let line: Int?
    /// The HTTP status of the server; `nil` for other errors.
    public let httpStatus: Int?

    init(_ code: Code, url: URL, detail: String? = nil, line: Int? = nil, httpStatus: Int? = nil) {
        self.code = code
        self.url = url.redacted
        self.line = line
        self.httpStatus = httpStatus
        message = detail ?? code.summary
    }

    /// The same as a playback error, for hosts that show all errors alike.
    public var playbackError: PlaybackError {
        let address = url.hasPrefix("/") ? URL(filePath: url) : URL(string: url)
        return PlaybackError(code.playbackCode, url: address, httpStatus: httpStatus, detail: message)
    }
}

extension PlaylistError: LocalizedError {
    public var errorDescription: String? { message }
}

/// An entry that was left out of a playlist, or a part of the playlist that was ignored.
public struct PlaylistProblem: Hashable, Sendable {
    /// The line in the list, counted from 1; `nil` if the problem has no line.
    public let line: Int?
    /// The first characters of the entry, without credentials, queries and values of options.
    public let entry: String
    /// A description for people, in one sentence.
    public let message: String
    /// `true` if an item is missing because of the problem. `false` for a notice.
    public let isSkipped: Bool

    init(line: Int?, entry: String, message: String, isSkipped: Bool) {
        self.line = line
        // Redact before the final cut: an address that was cut may show what the whole one hides.
        self.entry = String(Self.redacted(String(entry.prefix(Limits.entry))).prefix(Limits.problemEntry))
        self.message = message
        self.isSkipped = isSkipped
    }

    /// Works on the text, because an invalid URL can contain a password too.
    private static func redacted(_ entry: String) -> String {
        let entry = entry.withoutControls
        guard let slashes = entry.firstRange(of: "://") else { return entry }
        let rest = entry[slashes.upperBound...].prefix { !"?#|".contains($0) }
        let authority = rest.prefix { $0 != "/" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return String(entry[..<slashes.upperBound] + host + rest[authority.endIndex...])
    }
}

extension PlaylistProblem: CustomStringConvertible {
    /// `line 3: The path is that of a Windows drive. (C:\a.mp3)`
    public var description: String {
        [line.map { "line \($0):" }, message, entry.isEmpty ? nil : "(\(entry))"].compactMap(\.self)
            .joined(separator: " ")
    }
}

extension String {
    /// The text with spaces instead of control characters. Hosts print parts of a list to terminals.
    var withoutControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        var clean = UnicodeScalarView()
        clean.append(contentsOf: unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 })
        return String(clean)
    }
}
