import EventLog
import FlowplayerSDK
import Foundation

/// Keeps the log in a temporary file and sums it up at the end.
@MainActor
final class SummaryPlugin: PlayerPlugin {
    private let file = tmpfile()
    private lazy var log = EventLog(descriptor: fileno(file))

    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        log.player(player, didEmit: event, snapshot: snapshot)
    }

    func print() {
        log.flush()
        let handle = FileHandle(fileDescriptor: fileno(file))
        guard (try? handle.seek(toOffset: 0)) != nil, let data = try? handle.readToEnd(),
            let entries = try? EventLogReader.entries(in: data)
        else { return }
        Messages.write("\(EventLogSummary(entries))\n", to: 2)
    }
}
