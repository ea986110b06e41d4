#if !canImport(AVFoundation)
import Foundation
import Playback

/// The AVFoundation name of `MediaTime`.
public typealias CMTime = MediaTime
/// The number of fractions of a `CMTime`.
public typealias CMTimeValue = Int64
/// The number of fractions a second of a `CMTime`.
public typealias CMTimeScale = Int32

/// The number of nanoseconds in a second. Hosts use it as a time scale.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSEC_PER_SEC: UInt64 = 1_000_000_000

/// Returns a time of fractions of a second.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CMTimeMake(value: CMTimeValue, timescale: CMTimeScale) -> CMTime {
    CMTime(value: value, timescale: timescale)
}

/// Returns a time in seconds, rounded to the nearest fraction.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: CMTimeScale) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// Returns a time in seconds. Returns NaN for an invalid time.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// A range of times.
public struct CMTimeRange: Hashable, Sendable {
    /// The first time.
    public var start: CMTime
    /// The length.
    public var duration: CMTime

    /// Creates a range of a length.
    public init(start: CMTime, duration: CMTime) { (self.start, self.duration) = (start, duration) }

    /// Creates a range between two times.
    public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

    /// - Parameter seconds: a range in seconds.
    init(_ seconds: ClosedRange<Double>) {
        self.init(start: CMTime(seconds: seconds.lowerBound), end: CMTime(seconds: seconds.upperBound))
    }

    /// The time after the last one.
    public var end: CMTime { start + duration }

    /// `true` for a time from `start` until before `end`.
    public func containsTime(_ time: CMTime) -> Bool { start <= time && time < end }
}

extension NSValue {
    /// Boxes a range of numeric times, in microseconds.
    public convenience init(timeRange: CMTimeRange) {
        let microseconds = [timeRange.start, timeRange.duration].map { Int(exactly: ($0.seconds * 1e6).rounded()) ?? 0 }
        self.init(range: NSRange(location: microseconds[0], length: microseconds[1]))
    }

    /// The range of `init(timeRange:)`.
    public var timeRangeValue: CMTimeRange {
        let time = { (microseconds: Int) in CMTime(value: CMTimeValue(microseconds), timescale: 1_000_000) }
        return CMTimeRange(start: time(rangeValue.location), duration: time(rangeValue.length))
    }

    /// Boxes a numeric time. A time that is not numeric becomes `invalid`.
    public convenience init(time: CMTime) {
        // Foundation boxes no types of ours, but a pair of integers.
        self.init(range: NSRange(location: Int(time.isNumeric ? time.value : 0), length: Int(time.timescale)))
    }

    /// The time of `init(time:)`.
    public var timeValue: CMTime {
        CMTime(value: CMTimeValue(rangeValue.location), timescale: CMTimeScale(rangeValue.length))
    }
}
#endif
