import FlowplayerSDK
import FlowplayerTerminal
import Foundation
import PlayerControls

/// Formats the status line of a terminal.
enum StatusLine {
    private static let barColumns = 10...40

    /// Returns a line like `play     0:01 / 0:04  [====>--|---]  vol 100%  1x  clip.mp4`, cut to the columns.
    ///
    /// A `|` in the bar is a break for advertisements.
    ///
    /// - Parameter notice: replaces the name for a moment.
    static func text(_ status: Status, name: String, notice: String? = nil, columns: Int) -> String {
        let state = (status.ad == nil ? status.state.name : "ad").padding(toLength: 9, withPad: " ", startingAt: 0)
        let times = ([status.position] + (status.duration.map { [$0] } ?? [])).map(TimeText.clock).joined(
            separator: " / ")
        let volume = status.volume.map { "vol \(Int(($0 * 100).rounded()))%" } ?? "muted"
        let loaded = status.loaded.map { " (\(Int($0))%)" } ?? ""
        let fixed = [
            state + times + loaded, volume.padding(toLength: 8, withPad: " ", startingAt: 0),
            String(format: "%.3gx", status.rate),
        ]
        let used = fixed.reduce(0) { $0 + $1.count + 2 }
        let barSpace = min(barColumns.upperBound, columns - used - 2 - min(name.terminalColumns + 2, 30))
        var parts = fixed
        if barSpace >= barColumns.lowerBound { parts.insert(bar(status, columns: barSpace), at: 1) }
        parts.append(notice ?? status.ad ?? name)
        // The last column is left empty, since some terminals wrap a full line.
        return parts.joined(separator: "  ").cut(toTerminalColumns: columns - 1)
    }

    private static func bar(_ status: Status, columns: Int) -> String {
        let inner = columns - 2
        guard let duration = status.duration, duration > 0 else {
            return "[" + String(repeating: " ", count: inner) + "]"
        }
        let done = Int((min(1, status.position / duration) * Double(inner)).rounded(.down))
        let played = String(repeating: "=", count: done) + (done < inner ? ">" : "")
        var rest = Array(repeating: Character("-"), count: inner - played.count)
        for mark in status.adMarks {
            let place = min(Int(mark * Double(inner)), inner - 1) - played.count
            if place >= 0 { rest[place] = "|" }
        }
        return "[" + played + String(rest) + "]"
    }
}
