import FlowplayerSDK

/// A summary of a log, as text.
public struct EventLogSummary: CustomStringConvertible {
    private var counts: [(event: String, count: Int)] = []
    private var players: [(id: String, states: [String], errors: [String])] = []
    private var seconds = 0.0

    /// Summarizes the entries of one log, for each player separately.
    public init(_ entries: [EventLogEntry]) {
        for entry in entries { add(entry) }
    }

    private mutating func add(_ entry: EventLogEntry) {
        seconds = max(seconds, entry.t)
        if let index = counts.firstIndex(where: { $0.event == entry.event.name }) {
            counts[index].count += 1
        } else {
            counts.append((entry.event.name, 1))
        }
        let index = players.firstIndex { $0.id == entry.player } ?? players.endIndex
        if index == players.endIndex { players.append((entry.player, [], [])) }
        if let state = entry.event.playerState { players[index].states.append(state.name) }
        if entry.event.name == "error", let code = entry.event.code, let message = entry.event.message {
            players[index].errors.append("\(code): \(message)")
        }
    }

    /// One line with the number of events, then one for each player with its states, and one for each error.
    public var description: String {
        let total = counts.reduce(0) { $0 + $1.count }
        let duration = (seconds * 10).rounded() / 10
        var lines = [
            "\(total) events in \(duration) s: " + counts.map { "\($0.count) \($0.event)" }.joined(separator: ", ")
        ]
        for player in players {
            lines.append("player \(player.id.prefix(8)): " + player.states.joined(separator: " → "))
            lines += player.errors.map { "  error \($0)" }
        }
        return lines.joined(separator: "\n")
    }
}
