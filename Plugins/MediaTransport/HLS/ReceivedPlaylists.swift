import Foundation

/// The media playlists that the engine has received.
struct ReceivedPlaylists {
    /// The last one, of a variant or of a rendition.
    private(set) var media: HLSPlaylist.Media?
    /// `true` after one that names the last segment.
    private(set) var isComplete = false
    /// The address of the last one of a variant.
    private var variant: URL?
    /// The number of the first segment in the first version of each one of a variant.
    private var firstNumbers: [URL: Int] = [:]
    /// The versions of each one of a variant; `nil` if the engine need not know what was dropped.
    private var histories: [URL: PlaylistHistory]?
    /// The segments and initializations of separate renditions, such as audio, by the addresses of their playlists.
    private var renditions: [URL: Set<HLSSegment.Part>] = [:]

    /// - Parameter countsFromFirst: `true` for an engine that counts times from the first segment of the first version.
    init(countsFromFirst: Bool) { histories = countsFromFirst ? [:] : nil }

    /// `true` if the engine counts times from the first segment of the first version.
    var countsFromFirst: Bool { histories != nil }

    /// The last one of a variant, and the number of the first segment in its first version.
    var origin: (playlist: URL, segment: Int)? {
        variant.flatMap { url in firstNumbers[url].map { (url, $0) } }
    }

    /// - Parameter url: the address that the engine has requested.
    mutating func add(_ playlist: HLSPlaylist.Media, of url: URL, isVariant: Bool) {
        media = playlist
        isComplete = isComplete || playlist.isComplete
        if isVariant {
            variant = url
            firstNumbers[url] = firstNumbers[url] ?? playlist.firstNumber
        } else {
            renditions[url] = Set(playlist.segments.flatMap { [$0.part, $0.map].compactMap { $0?.beginning } })
        }
    }

    /// Returns the text of the next version of a variant's playlist for the engine.
    mutating func version(of url: URL, _ playlist: HLSPlaylist.Media, _ text: String) -> String {
        histories?[url, default: PlaylistHistory(playlist)].add(playlist, text) ?? text
    }

    func isRendition(_ url: URL) -> Bool { renditions[url] != nil }

    /// Returns the kind of a failure of a segment or an initialization.
    func failure(of part: HLSSegment.Part) -> ProxyFailures.Kind {
        renditions.values.contains { $0.contains(part.beginning) } ? .rendition : .segment
    }
}
