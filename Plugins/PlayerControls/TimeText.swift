import Foundation

/// Formats times for controls.
public enum TimeText {
    /// The longest time that is written out: 99:59:59.
    private static let longest = 359_999.0
    /// From this length on, in seconds, times are spoken in minutes.
    private static let spokenInMinutes = 600.0

    /// Returns a time like `1:05`, `1:01:05` or `-0:30`, rounded towards zero. `-:--` if it is not a finite number.
    ///
    /// - Parameter seconds: negative for a distance behind the live edge.
    public static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "-:--" }
        let whole = Int(min(abs(seconds), longest))
        let sign = seconds < 0 && whole > 0 ? "-" : ""
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0
            ? sign + String(format: "%d:%02d:%02d", hours, minutes, rest)
            : sign + String(format: "%d:%02d", minutes, rest)
    }

    /// Returns a position for screen readers, like `7 minutes of 60` or `12 seconds of 40`.
    ///
    /// - Parameters:
    ///   - seconds: the position.
    ///   - duration: in seconds; `nil` if it is unknown.
    public static func spoken(_ seconds: Double, of duration: Double?) -> String {
        guard let duration else { return spoken(seconds) }
        let (unit, name) = unit(for: duration)
        return "\(count(seconds, name, unit)) of \(whole(duration, unit))"
    }

    /// Returns a length for screen readers, like `1 minute` or `42 seconds`.
    public static func spoken(_ seconds: Double) -> String {
        let (unit, name) = unit(for: seconds)
        return count(seconds, name, unit)
    }

    private static func unit(for length: Double) -> (seconds: Double, name: String) {
        length >= spokenInMinutes ? (60, "minute") : (1, "second")
    }

    private static func whole(_ seconds: Double, _ unit: Double) -> Int {
        seconds.isFinite ? Int(min(max(0, seconds), longest) / unit) : 0
    }

    private static func count(_ seconds: Double, _ name: String, _ unit: Double) -> String {
        let number = whole(seconds, unit)
        return "\(number) \(name)\(number == 1 ? "" : "s")"
    }
}

extension Double {
    /// The number with two places at most, without trailing zeros: `1.5`, `2`.
    var short: String {
        let hundredths = (self * 100).rounded() / 100
        return hundredths == hundredths.rounded() ? String(format: "%.0f", hundredths) : "\(hundredths)"
    }

    /// A fraction as a whole percentage: `60 %`.
    var percent: String { "\(Int((self * 100).rounded())) %" }

    /// A rate: `1.5×`.
    var speed: String { "\(short)×" }
}
