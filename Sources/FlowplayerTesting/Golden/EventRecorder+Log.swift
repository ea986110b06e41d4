import Foundation
import Playback

extension EventRecorder {
    /// The recorded events as text, which is stable from run to run with a `ManualClock`: a line for each event with
    /// its time in seconds since the recorder was made.
    ///
    /// - Parameter positions: `true` to include the positions.
    public func log(positions: Bool = false) -> String {
        entries.filter { positions || !$0.event.isPosition }.map { $0.line + "\n" }.joined()
    }
}

extension EventRecorder.Entry {
    fileprivate var line: String { String(format: "%.3f  ", time.inSeconds) + event.text }
}
