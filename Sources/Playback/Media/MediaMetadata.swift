import Foundation

/// The metadata of an item.
public struct MediaMetadata: Codable, Hashable, Sendable {
    /// The title; `nil` if the item has none. It is never the file's name.
    public var title: String?
    /// The artist.
    public var artist: String?
    /// The album.
    public var album: String?
    /// The cover image. If the item contains it, this is a local file.
    public var artworkURL: URL?
    /// In the order of their beginnings.
    public var chapters: [Chapter]

    /// Creates metadata, by default empty.
    public init(
        title: String? = nil, artist: String? = nil, album: String? = nil, artworkURL: URL? = nil,
        chapters: [Chapter] = []
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.artworkURL = artworkURL
        self.chapters = chapters
    }

    /// `true` if nothing is known.
    public var isEmpty: Bool { self == MediaMetadata() }

    /// Returns these metadata, with missing values from others.
    public func completed(by other: MediaMetadata) -> MediaMetadata {
        MediaMetadata(
            title: title ?? other.title, artist: artist ?? other.artist, album: album ?? other.album,
            artworkURL: artworkURL ?? other.artworkURL, chapters: chapters.isEmpty ? other.chapters : chapters)
    }
}

/// A named part of an item.
public struct Chapter: Codable, Hashable, Sendable {
    /// The position of its start, in seconds.
    public let start: Double
    /// The title to show to the user.
    public let title: String

    /// A chapter that begins at a position, in seconds.
    public init(start: Double, title: String) {
        self.start = start
        self.title = title
    }
}
