import Foundation
import Playback

/// What a stream's playlist says of it as a whole, followed as it moves on.
struct HLSPresentation: Equatable, Sendable {
    /// Whether more is to come.
    private(set) var isLive: Bool
    /// What can be played, on an axis that begins with the first segment that was seen.
    private(set) var window: DVRWindow
    /// Seconds after which the playlist is worth another look.
    private(set) var interval: Double
    /// A variant for the time in which nobody sees the picture.
    let soundOnly: URL?
    private var segments: HLSPlaylist.Segments

    /// - Parameter earlier: what was known of the same stream at another address: its axis goes on.
    init(_ segments: HLSPlaylist.Segments, soundOnly: URL? = nil, after earlier: HLSPresentation? = nil) {
        self.segments = segments
        self.soundOnly = soundOnly
        isLive = !segments.isComplete
        window = DVRWindow(start: 0, end: segments.length)
        interval = min(max(segments.targetDuration, 0.5), 10)
        guard let earlier else { return }
        (window, self.segments) = (earlier.window, earlier.segments)
        update(segments)
    }

    /// Takes the playlist as it is now.
    mutating func update(_ latest: HLSPlaylist.Segments) {
        let dropped = min(max(0, latest.firstNumber - segments.firstNumber), segments.durations.count)
        let start = window.start + segments.durations.prefix(dropped).reduce(0, +)
        window = DVRWindow(start: start, end: start + latest.length)
        isLive = !latest.isComplete
        segments = latest
    }
}

extension HLSPlaylist.Segments {
    /// In seconds.
    var length: Double { durations.reduce(0, +) }
}
