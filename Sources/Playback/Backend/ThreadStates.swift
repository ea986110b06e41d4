import Foundation

/// The states of the threads of a process at this moment, from `/proc`.
package struct ThreadStates: Sendable {
    /// How many threads have a core, or wait for one or for a disk.
    package let workingThreads: Int
    /// `true` if a signal has stopped all of them.
    package let areStopped: Bool

    /// - Parameter process: the number of a process of the same user.
    package init(of process: Int32) {
        let folder = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let states = threads.compactMap { Self.fields(in: "\(folder)/\($0)/stat")?.first }
        workingThreads = states.count { $0 == "R" || $0 == "D" }
        areStopped = states.allSatisfy { $0 == "T" }
    }

    /// `true` if threads of this process work, beside the one that asks.
    package static var isBusy: Bool { ThreadStates(of: getpid()).workingThreads > 1 }

    /// The fields of a file `stat` in `/proc` after the name, which may contain spaces.
    package static func fields(in file: String) -> [Substring]? {
        let text = try? String(contentsOfFile: file, encoding: .utf8)
        return text?.split(separator: ")").last?.split(separator: " ")
    }
}
