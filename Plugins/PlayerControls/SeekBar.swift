import Playback

/// A seek bar: the positions that it covers, and what it shows of them.
///
/// Fractions are in `0...1`, from the beginning of the bar to its end. Positions are in seconds.
public struct SeekBar: Hashable, Sendable {
    /// A mark of the bar, at the beginning of a chapter.
    public struct Mark: Hashable, Sendable {
        /// Where the chapter begins.
        public let fraction: Double
        /// The title of the chapter.
        public let title: String
    }

    /// The label for a place under the pointer.
    public struct Hover: Hashable, Sendable {
        /// The position to which a click seeks, in seconds.
        public let seconds: Double
        /// The position as text; the distance from the live edge for a live stream.
        public let time: String
        /// The title of the chapter, or `nil` if there is none.
        public let chapter: String?
    }

    /// The covered positions: the whole item, or the DVR window of a live stream. `nil` while the length is unknown.
    public let range: ClosedRange<Double>?
    /// The position in seconds.
    public let position: Double
    /// The downloaded parts, in seconds, in order.
    public let bufferedRanges: [ClosedRange<Double>]
    /// The chapters, in order.
    public let chapters: [Chapter]
    /// The breaks for advertisements, in seconds, in order.
    public let adBreaks: [ClosedRange<Double>]
    /// `true` if the bar covers the DVR window of a live stream.
    public let isLive: Bool
    /// `true` if the user can seek with the bar.
    public let isEnabled: Bool

    /// Describes the seek bar of a player.
    ///
    /// - Parameters:
    ///   - snapshot: the state of the player.
    ///   - position: the position in seconds, if it is newer than that of the snapshot.
    public init(_ snapshot: PlayerSnapshot, position: Double? = nil) {
        self.init(snapshot, position: position, bufferedRanges: snapshot.bufferedRanges)
    }

    init(_ snapshot: PlayerSnapshot, position: Double? = nil, bufferedRanges: [ClosedRange<Double>]) {
        if let window = snapshot.dvrWindow {
            range = window.start...window.end
        } else {
            range = snapshot.duration.map { 0...$0 }
        }
        self.position = position ?? snapshot.position
        self.bufferedRanges = bufferedRanges
        chapters = snapshot.metadata.chapters
        isLive = snapshot.dvrWindow != nil
        adBreaks = snapshot.adBreaks
        isEnabled = snapshot.isReady && snapshot.isUserSeekable && range.map { $0.lowerBound < $0.upperBound } ?? false
    }

    /// The place of the position.
    public var fraction: Double { fraction(of: position) }

    /// The fractions of the downloaded parts. Parts outside the bar are left out.
    public var bufferedFractions: [ClosedRange<Double>] {
        guard let range else { return [] }
        return bufferedRanges.filter { $0.overlaps(range) }.map {
            fraction(of: $0.lowerBound)...fraction(of: $0.upperBound)
        }
    }

    /// The end of the downloaded part at the position: what a bar with a single fill level shows.
    public var bufferedFraction: Double {
        let part = bufferedRanges.first { $0.contains(position) }
        return max(fraction, part.map { fraction(of: $0.upperBound) } ?? 0)
    }

    /// The beginnings of the chapters, except one at the beginning of the bar.
    public var marks: [Mark] {
        guard let range else { return [] }
        return chapters.filter { range.contains($0.start) && $0.start > range.lowerBound }.map {
            Mark(fraction: fraction(of: $0.start), title: $0.title)
        }
    }

    /// The beginnings of the breaks for advertisements.
    public var adMarks: [Double] {
        guard let range else { return [] }
        return adBreaks.map(\.lowerBound).filter { range.contains($0) }.map { fraction(of: $0) }
    }

    /// The position for screen readers: `7 minutes of 60`, `30 seconds behind live`, `live`.
    public var spokenPosition: String {
        guard isLive, let range else { return TimeText.spoken(position, of: range?.upperBound) }
        let offset = range.upperBound - position
        return offset < 1 ? "live" : TimeText.spoken(offset) + " behind live"
    }

    /// Returns the place of a position, 0 while the length is unknown.
    public func fraction(of seconds: Double) -> Double {
        guard let range, range.lowerBound < range.upperBound, seconds.isFinite else { return 0 }
        return ((seconds - range.lowerBound) / (range.upperBound - range.lowerBound)).held
    }

    /// Returns the position at a place, in seconds. A fraction outside `0...1` is clamped.
    public func seconds(at fraction: Double) -> Double {
        guard let range else { return 0 }
        return range.lowerBound + fraction.held * (range.upperBound - range.lowerBound)
    }

    /// Returns the label for a place under the pointer; `nil` if the bar is disabled.
    public func hover(at fraction: Double) -> Hover? {
        guard isEnabled else { return nil }
        let seconds = seconds(at: fraction)
        return Hover(seconds: seconds, time: timeText(seconds), chapter: chapters.last { $0.start <= seconds }?.title)
    }

    /// Returns a position as text: the distance from the live edge for a live stream.
    func timeText(_ seconds: Double) -> String {
        TimeText.clock(isLive ? seconds - (range?.upperBound ?? seconds) : seconds)
    }
}

extension Double {
    /// The nearest value in `0...1`.
    fileprivate var held: Double { isFinite ? min(max(0, self), 1) : 0 }
}

/// Limits the seeks while the user drags the handle of a seek bar.
///
/// The target follows the pointer at once. Seeks follow it at most 10 times a second, and the end of the drag sends the
/// last one. With `seeksOnlyAtEnd`, only the end of the drag seeks.
struct SeekDrag {
    static let interval = Duration.milliseconds(100)

    /// The position under the pointer, in seconds.
    private(set) var target: Double
    private var sought: Double?
    private var nextSeek = Duration.zero
    private let seeksOnlyAtEnd: Bool

    init(target: Double, seeksOnlyAtEnd: Bool = false) { (self.target, self.seeksOnlyAtEnd) = (target, seeksOnlyAtEnd) }

    /// When the next seek is due; `nil` if the player has been sent to the target, or shall not be yet.
    var deadline: Duration? { seeksOnlyAtEnd || sought == target ? nil : nextSeek }

    mutating func move(to target: Double) { self.target = target }

    /// Returns the position to seek to now, or `nil` if no seek is due.
    mutating func takeSeek(at time: Duration) -> Double? {
        guard let deadline, time >= deadline else { return nil }
        sought = target
        nextSeek = time + Self.interval
        return target
    }
}
