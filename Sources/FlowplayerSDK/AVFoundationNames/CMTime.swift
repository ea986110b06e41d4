#if !canImport(AVFoundation)
import Foundation

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

extension NSValue {
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
