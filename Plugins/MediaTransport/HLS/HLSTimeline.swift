import Foundation
import Playback

/// The part of a stream that can be played, which moves with each update of a live playlist.
package struct HLSTimeline: Equatable, Sendable {
    /// `true` if more segments will follow.
    package private(set) var isLive: Bool
    /// The range that can be played. Position 0 is the start of the first segment that was read.
    package private(set) var window: DVRWindow
    /// The time after which the playlist is read again, in seconds.
    private(set) var interval: Double
    /// The variant to play while the video is not visible.
    package let audioOnly: URL?
    private var playlist: HLSPlaylist.Media
    /// The marks of the stream, by their positions.
    package private(set) var markers: [StreamMarker] = []

    /// - Parameter earlier: the timeline of the same stream at another address. Its positions stay valid.
    init(_ playlist: HLSPlaylist.Media, audioOnly: URL? = nil, after earlier: HLSTimeline? = nil) {
        self.playlist = playlist
        self.audioOnly = audioOnly
        isLive = !playlist.isComplete
        window = DVRWindow(start: 0, end: playlist.length)
        interval = min(max(playlist.targetDuration, 0.5), 10)
        if let earlier {
            (window, self.playlist, markers) = (earlier.window, earlier.playlist, earlier.markers)
            update(playlist)
        } else {
            add(playlist.markers)
        }
    }

    /// Returns the position as a fraction of the playlist that an engine knows, in `0...1`.
    ///
    /// - Parameter latest: the playlist that the engine read last; `nil` for those of this timeline.
    package func fraction(of position: Double, within latest: HLSPlaylist.Media?) -> Double {
        var latest = latest ?? playlist
        var step = latest.firstNumber - playlist.firstNumber
        // Another playlist of the stream, such as an audio playlist, may have its own numbers.
        if step <= -latest.segments.count || step >= playlist.segments.count { (latest, step) = (playlist, 0) }
        let start = window.start + (step < 0 ? -latest.length(of: -step) : playlist.length(of: step))
        return latest.length > 0 ? min(max((position - start) / latest.length, 0), 1) : 0
    }

    /// The duration in seconds; `nil` while the stream is live, and if it has no segments.
    package var duration: Double? { isLive || window.end <= 0 ? nil : window.end }

    /// Returns the position of a segment in seconds. That of one that is not in the playlist is an estimate.
    package func position(ofSegment number: Int) -> Double {
        let index = number - playlist.firstNumber
        if index < 0 { return window.start + Double(index) * playlist.targetDuration }
        let beyond = max(0, index - playlist.segments.count)
        return window.start + playlist.length(of: index) + Double(beyond) * playlist.targetDuration
    }

    /// `true` if there are discontinuities.
    var hasPeriods: Bool { playlist.segments.contains { $0.period != playlist.segments[0].period } }

    /// Returns the segments that overlap a range of positions, with their positions.
    func segments(in range: ClosedRange<Double>) -> [(segment: HLSSegment, position: Double)] {
        var end = window.start
        return playlist.segments.compactMap { segment in
            let start = end
            end += segment.duration
            return end > range.lowerBound && start <= range.upperBound ? (segment, start) : nil
        }
    }

    /// The longest duration of a segment, in seconds.
    package var targetDuration: Double { playlist.targetDuration }

    /// Returns the range around a position that an engine has received. It is empty if that is nothing.
    ///
    /// - Parameter parts: the received part of each segment, by its number.
    package func bufferedRange(around position: Double, _ parts: [Int: Double]) -> ClosedRange<Double> {
        var (lower, upper) = (position, position)
        var end = window.start
        for segment in playlist.segments {
            let start = end
            end += segment.duration
            guard end > position else { continue }
            guard let part = parts[segment.number] else { break }
            lower = min(lower, start)
            upper = max(upper, start + part * segment.duration)
            if part < 1 { break }
        }
        return lower...upper
    }

    /// Moves the window to the latest playlist.
    mutating func update(_ latest: HLSPlaylist.Media) {
        let dropped = min(max(0, latest.firstNumber - playlist.firstNumber), playlist.segments.count)
        let start = window.start + playlist.length(of: dropped)
        window = DVRWindow(start: start, end: start + latest.length)
        isLive = !latest.isComplete
        playlist = latest
        add(latest.markers)
    }

    /// Adds the marks of the latest playlist. A mark that is known is updated.
    private mutating func add(_ latest: [StreamMarker]) {
        for marker in latest {
            var marker = marker
            marker.start += window.start
            if let index = markers.firstIndex(where: { $0.isSame(as: marker) }) {
                markers[index] = markers[index].completed(by: marker)
            } else {
                markers.append(marker)
            }
        }
        markers.sort { ($0.start, $0.id) < ($1.start, $1.id) }
        markers.removeFirst(max(0, markers.count - StreamMarker.mostMarkers))
    }
}

extension HLSPlaylist.Media {
    /// The duration of all segments, in seconds.
    var length: Double { length(of: segments.count) }

    /// The duration of the first segments, in seconds.
    func length(of count: Int) -> Double { segments.prefix(count).reduce(0) { $0 + $1.duration } }
}

extension StreamMarker {
    fileprivate func isSame(as other: StreamMarker) -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        // The start of a break is sent again when its first segment has left the playlist.
        case .cueOut: return id == other.id || abs(start - other.start) < 1
        // An id is one among those of its scheme and value.
        case .event: return id == other.id && ["SCHEME", "VALUE"].allSatisfy { attributes[$0] == other.attributes[$0] }
        case .dateRange, .cueIn: return id == other.id
        }
    }

    /// A later version may have the actual duration, and attributes of the end. Everything else stays as it was sent first.
    fileprivate func completed(by later: StreamMarker) -> StreamMarker {
        var marker = self
        marker.duration = later.duration ?? duration
        marker.message = message ?? later.message
        marker.add(later.attributes)
        return marker
    }
}
