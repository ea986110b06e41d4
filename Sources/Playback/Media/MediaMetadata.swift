import Foundation

/// What a medium says about itself.
public struct MediaMetadata: Codable, Hashable, Sendable {
    /// `nil` if the medium has none; never the file's name instead.
    public var title: String?
    /// Who made it.
    public var artist: String?
    /// What it was published on.
    public var album: String?
    /// A picture, as a local file if the medium holds it.
    public var artworkURL: URL?
    /// In the order of their beginnings.
    public var chapters: [Chapter]

    /// Without arguments: nothing is known.
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

    /// Whether nothing is known.
    public var isEmpty: Bool { self == MediaMetadata() }

    /// These, and what they lack from others.
    public func completed(by other: MediaMetadata) -> MediaMetadata {
        MediaMetadata(
            title: title ?? other.title, artist: artist ?? other.artist, album: album ?? other.album,
            artworkURL: artworkURL ?? other.artworkURL, chapters: chapters.isEmpty ? other.chapters : chapters)
    }
}

/// A named part of a medium.
public struct Chapter: Codable, Hashable, Sendable {
    /// Where it begins, in seconds.
    public let start: Double
    /// What to show to a person.
    public let title: String

    /// A chapter that begins so many seconds into the medium.
    public init(start: Double, title: String) {
        self.start = start
        self.title = title
    }
}
