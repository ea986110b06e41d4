import Foundation

/// The versions of a live playlist, for an engine that counts times from the first segment of the first one.
///
/// When a live stream ends, `hlsdemux` looks for its position from the start of the last version, although it has counted from the
/// start of the first one. It would leave out as much as was dropped. So the last version begins with a placeholder: one segment
/// that lasts as long as those that were dropped. No engine plays it, unless it has fallen behind.
struct PlaylistHistory {
    private static let numberTag = "#EXT-X-MEDIA-SEQUENCE:"

    private var timeline: HLSTimeline
    private var latest = (firstNumber: 0, text: "")

    init(_ playlist: HLSPlaylist.Media) { timeline = HLSTimeline(playlist) }

    /// Returns the text of the next version for the engine.
    mutating func add(_ playlist: HLSPlaylist.Media, _ text: String) -> String {
        timeline.update(playlist)
        if playlist.isComplete, timeline.window.start > 0 { return withPlaceholder(text, playlist.firstNumber - 1) }
        latest = (playlist.firstNumber, text)
        return text
    }

    private func withPlaceholder(_ text: String, _ number: Int) -> String {
        guard let tag = text.firstRange(of: Self.numberTag) else { return text }
        let end = text[tag.upperBound...].firstIndex(where: \.isNewline) ?? text.endIndex
        // Rounded down, because a seek to the first real segment must not find this one.
        let duration = (timeline.window.start * 1e6).rounded(.down) / 1e6
        // `hlsdemux` rejects a version that has another address for the same number, and then waits forever.
        let known =
            number < latest.firstNumber ? nil : addresses(in: latest.text).dropFirst(number - latest.firstNumber).first
        guard let address = known ?? addresses(in: text).first else { return text }
        let lines = "\(Self.numberTag)\(number)\n#EXTINF:\(duration),\n\(address)"
        return text.replacingCharacters(in: tag.lowerBound..<end, with: lines)
    }

    private func addresses(in text: String) -> [Substring] {
        text.split(separator: "\n").filter { !$0.begins(with: "#") }
    }
}
