import Foundation
import Playback

/// Collects the items and problems of a playlist while it is read.
struct PlaylistBuilder {
    /// The information in a list about one entry.
    struct Details {
        var title: String?
        var artist: String?
        var album: String?
        var artwork: String?
    }

    private static let problemLimit = 1000
    private static let textLimit = 1000

    let addresses: EntryAddresses
    var title: String?
    var items: [PlayerItem] = []
    private let url: URL
    private var problems: [PlaylistProblem] = []
    private var unlisted = 0
    private var entries = 0

    init(list url: URL) {
        self.url = url
        addresses = EntryAddresses(list: url)
    }

    /// Counts an entry.
    ///
    /// - Returns: `false` if the list is full. The first such call adds a problem.
    mutating func takesEntry(line: Int?) -> Bool {
        entries += 1
        if entries == Playlist.entryLimit + 1 {
            // Listed even after `problemLimit`.
            problems.append(
                PlaylistProblem(
                    line: line, entry: "", message: "Only the first \(Playlist.entryLimit) entries are taken.",
                    isSkipped: true))
        }
        return entries <= Playlist.entryLimit
    }

    /// Adds an entry, or a problem if it cannot be used.
    mutating func add(_ entry: String, line: Int, details: Details) {
        let (plain, options) = addresses.cutOptions(of: entry, as: .path)
        do throws(EntryRefusal) {
            let url = try addresses.item(plain, as: .path)
            for option in options { ignore(option: option, line: line) }
            add(url, details: details, artwork: artwork(details.artwork))
        } catch {
            skip(plain, line: line, because: error)
        }
    }

    mutating func add(_ url: URL, details: Details, artwork: URL?) {
        let metadata = MediaMetadata(
            title: Self.shown(details.title), artist: Self.shown(details.artist), album: Self.shown(details.album),
            artworkURL: artwork)
        items.append(PlayerItem(url: url, metadata: metadata))
    }

    mutating func skip(_ entry: String, line: Int?, because refusal: EntryRefusal) {
        report(entry, line: line, refusal.reason, isSkipped: true)
    }

    /// - Parameter option: its name, without the value.
    mutating func ignore(option: String, line: Int?) {
        note(option, line: line, "Options in a playlist are not honoured.")
    }

    mutating func note(_ entry: String, line: Int?, _ message: String) {
        report(entry, line: line, message, isSkipped: false)
    }

    func playlist(as format: PlaylistFormat) -> Playlist {
        var problems = problems
        if unlisted > 0 {
            problems.append(
                PlaylistProblem(
                    line: nil, entry: "", message: "\(unlisted) more problems are not listed.", isSkipped: false))
        }
        return Playlist(url: url, format: format, title: Self.shown(title), items: items, problems: problems)
    }

    private mutating func report(_ entry: String, line: Int?, _ message: String, isSkipped: Bool) {
        guard problems.count < Self.problemLimit else {
            unlisted += 1
            return
        }
        problems.append(PlaylistProblem(line: line, entry: entry, message: message, isSkipped: isSkipped))
    }

    private func artwork(_ text: String?) -> URL? {
        text.flatMap { addresses.artwork($0, as: .path, base: addresses.list) }
    }

    /// A text on one line and of limited length; `nil` if it is empty.
    private static func shown(_ text: String?) -> String? {
        guard let text else { return nil }
        let trimmed = String(text.prefix(textLimit)).withoutControls.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}
