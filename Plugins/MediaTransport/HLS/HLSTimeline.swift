import Foundation
import Playback

/// What a stream's playlist says of it as a whole, followed as it moves on.
package struct HLSTimeline: Equatable, Sendable {
    /// Whether more is to come.
    package private(set) var isLive: Bool
    /// What can be played, on an axis that begins with the first segment that was seen.
    package private(set) var window: DVRWindow
    /// Seconds after which the playlist is worth another look.
    package private(set) var interval: Double
    /// A variant for the time in which nobody sees the picture.
    package let soundOnly: URL?
    private var segments: HLSPlaylist.Segments

    /// - Parameter earlier: what was known of the same stream at another address: its axis goes on.
    package init(_ segments: HLSPlaylist.Segments, soundOnly: URL? = nil, after earlier: HLSTimeline? = nil) {
        self.segments = segments
        self.soundOnly = soundOnly
        isLive = !segments.isComplete
        window = DVRWindow(start: 0, end: segments.length)
        interval = min(max(segments.targetDuration, 0.5), 10)
        guard let earlier else { return }
        (window, self.segments) = (earlier.window, earlier.segments)
        update(segments)
    }

    /// Where a position is between the beginning and the end of what a reader of the stream knows of it, in `0...1`.
    ///
    /// - Parameter latest: the playlist that it read last; `nil`: the same as is known here.
    package func fraction(of position: Double, within latest: HLSPlaylist.Segments?) -> Double {
        var latest = latest ?? segments
        var step = latest.firstNumber - segments.firstNumber
        // Another playlist of the stream, sound perhaps, may count on its own.
        if step <= -latest.durations.count || step >= segments.durations.count { (latest, step) = (segments, 0) }
        let start = window.start + (step < 0 ? -latest.length(of: -step) : segments.length(of: step))
        return latest.length > 0 ? min(max((position - start) / latest.length, 0), 1) : 0
    }

    /// In seconds: no segment is longer.
    package var targetDuration: Double { segments.targetDuration }

    /// Takes the playlist as it is now.
    package mutating func update(_ latest: HLSPlaylist.Segments) {
        let dropped = min(max(0, latest.firstNumber - segments.firstNumber), segments.durations.count)
        let start = window.start + segments.length(of: dropped)
        window = DVRWindow(start: start, end: start + latest.length)
        isLive = !latest.isComplete
        segments = latest
    }
}

extension HLSPlaylist.Segments {
    /// In seconds.
    package var length: Double { length(of: durations.count) }

    /// In seconds, of the first so many.
    package func length(of count: Int) -> Double { durations.prefix(count).reduce(0, +) }
}
