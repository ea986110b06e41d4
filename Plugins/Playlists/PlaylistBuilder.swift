import Foundation
import Playback

/// The limits of what is read, besides those of `Playlist`.
enum Limits {
    /// The length of an entry, in bytes.
    static let entry = 16 << 10
    /// The length of a title or name, in characters.
    static let text = 1000
    /// The length of the text of an XML element, in bytes.
    static let element = 20_000
    /// The length of the entry in a problem, in characters.
    static let problemEntry = 200
    /// The number of listed problems.
    static let problems = 1000
    /// The depth of a folder.
    static let depth = 32
    /// The length of the beginning that decides about the format, in bytes.
    static let beginning = 4096
}

/// Collects the items and problems of a playlist while it is read.
struct PlaylistBuilder {
    /// One of the addresses of an entry, as the list names it.
    struct Location {
        let text: String
        let line: Int
        /// The base of a relative address; `nil` for the list.
        var base: URL?
    }

    let addresses: EntryAddresses
    var title: String?
    var items: [PlayerItem] = []
    private let url: URL
    private let format: PlaylistFormat
    private var problems: [PlaylistProblem] = []
    private var unlisted = 0
    private(set) var entries = 0

    init(list url: URL, format: PlaylistFormat) {
        self.url = url
        self.format = format
        addresses = EntryAddresses(list: url, notation: format == .xspf ? .uri : .path)
    }

    var playlist: Playlist {
        var problems = problems
        if unlisted > 0 {
            let message = "\(unlisted) more problems are not listed."
            problems.append(PlaylistProblem(line: nil, entry: "", message: message, isSkipped: false))
        }
        return Playlist(url: url, format: format, title: Self.shown(title), items: items, problems: problems)
    }

    /// Counts an entry.
    ///
    /// - Returns: `false` if the list is full. The first such call adds a problem.
    mutating func takesEntry(line: Int?) -> Bool {
        entries += 1
        if entries == Playlist.entryLimit + 1 {
            // Listed even after the limit of problems.
            let message = "Only the first \(Playlist.entryLimit) entries are taken."
            problems.append(PlaylistProblem(line: line, entry: "", message: message, isSkipped: true))
        }
        return entries <= Playlist.entryLimit
    }

    /// Adds the first usable address of an entry, or the problem of the first one if there is none.
    mutating func add(_ locations: [Location], _ metadata: MediaMetadata) {
        var refusal: (entry: String, line: Int, reason: String)?
        for location in locations {
            let (entry, options) = addresses.cutOptions(of: location.text)
            do throws(EntryRefusal) {
                let url = try addresses.item(entry, base: location.base)
                for option in options { ignore(option: option, line: location.line) }
                return add(url, metadata)
            } catch {
                refusal = refusal ?? (entry, location.line, error.reason)
            }
        }
        if let refusal { report(refusal.reason, refusal.entry, line: refusal.line) }
    }

    mutating func add(_ url: URL, _ metadata: MediaMetadata = MediaMetadata()) {
        var metadata = metadata
        metadata.title = Self.shown(metadata.title)
        metadata.artist = Self.shown(metadata.artist)
        metadata.album = Self.shown(metadata.album)
        items.append(PlayerItem(url: url, metadata: metadata))
    }

    /// - Parameter option: its name, without the value.
    mutating func ignore(option: String, line: Int) {
        report("Options in a playlist are not honoured.", option, line: line, isSkipped: false)
    }

    /// Reports a problem with an entry or another line of the list.
    mutating func report(_ message: String, _ entry: String, line: Int? = nil, isSkipped: Bool = true) {
        if problems.count < Limits.problems {
            problems.append(PlaylistProblem(line: line, entry: entry, message: message, isSkipped: isSkipped))
        } else {
            unlisted += 1
        }
    }

    /// A text on one line and of limited length; `nil` if it is empty.
    private static func shown(_ text: String?) -> String? {
        guard let text else { return nil }
        let trimmed = String(text.prefix(Limits.text)).withoutControls.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}
