import Foundation
import Playback

extension EventRecorder {
    /// What was recorded, as text that stays the same from run to run with a `ManualClock`: a line for each event with
    /// its time in seconds since the recorder was made.
    ///
    /// - Parameter positions: whether the many events of the playhead are in it.
    public func log(positions: Bool = false) -> String {
        entries.filter { positions || !$0.event.isPosition }.map { $0.line + "\n" }.joined()
    }
}

extension EventRecorder.Entry {
    fileprivate var line: String { String(format: "%.3f  ", time.inSeconds) + event.text }
}
