import FlowplayerSDK
import Foundation

/// Formats the status line of a terminal.
enum StatusLine {
    private static let barColumns = 10...40

    /// Returns a line like `play     0:01 / 0:04  [====>------]  vol 100%  1x  clip.mp4`, cut to the columns.
    static func text(_ status: Status, name: String, columns: Int) -> String {
        let state = status.state.name.padding(toLength: 9, withPad: " ", startingAt: 0)
        let times = time(status.position) + (status.duration.map { " / " + time($0) } ?? "")
        let volume = status.volume.map { "vol \(Int(($0 * 100).rounded()))%" } ?? "muted"
        let fixed = [state + times, volume, String(format: "%.3gx", status.rate)]
        let used = fixed.reduce(0) { $0 + $1.count + 2 }
        let barSpace = min(barColumns.upperBound, columns - used - 2 - min(name.columns + 2, 30))
        var parts = fixed
        if barSpace >= barColumns.lowerBound { parts.insert(bar(status, columns: barSpace), at: 1) }
        parts.append(name)
        // The last column is left empty, since some terminals wrap a full line.
        return parts.joined(separator: "  ").cut(toColumns: columns - 1)
    }

    /// Returns a time like `1:05` or `1:01:05`.
    static func time(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "-:--" }
        let whole = Int(max(0, min(seconds, 359_999)))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, rest) : String(format: "%d:%02d", minutes, rest)
    }

    private static func bar(_ status: Status, columns: Int) -> String {
        let inner = columns - 2
        guard let duration = status.duration, duration > 0 else {
            return "[" + String(repeating: " ", count: inner) + "]"
        }
        let done = Int((min(1, status.position / duration) * Double(inner)).rounded(.down))
        let played = String(repeating: "=", count: done) + (done < inner ? ">" : "")
        return "[" + played.padding(toLength: inner, withPad: "-", startingAt: 0) + "]"
    }
}

extension String {
    /// The width of the text in a terminal.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// Returns the beginning of the text that fits, without control characters.
    func cut(toColumns limit: Int) -> String {
        var (text, used) = ("", 0)
        for character in self where !character.unicodeScalars.contains(where: \.isControl) {
            let width = String(character).columns
            guard used + width <= limit else { break }
            text.append(character)
            used += width
        }
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }

    /// 2 for wide East Asian characters and emoji, 0 for combining marks, 1 for other characters.
    fileprivate var columns: Int {
        switch (properties.generalCategory, value) {
        case (.nonspacingMark, _), (.enclosingMark, _), (.format, _), (.control, _): 0
        case (_, 0x1100...0x115F), (_, 0x2E80...0xA4CF), (_, 0xAC00...0xD7A3), (_, 0xF900...0xFAFF),
            (_, 0xFE30...0xFE6F), (_, 0xFF00...0xFF60), (_, 0xFFE0...0xFFE6), (_, 0x1F300...0x1FAFF),
            (_, 0x20000...0x3FFFD):
            2
        default: 1
        }
    }
}
