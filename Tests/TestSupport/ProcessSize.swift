import Foundation

/// The resources that this process holds.
public struct ProcessSize: Sendable, CustomStringConvertible {
    /// The memory in use (RSS).
    public let megabytes: Double
    public let threads: Int
    public let descriptors: Int

    public static var now: ProcessSize {
        let pages =
            (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
            .split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        func count(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
        }
        return ProcessSize(
            megabytes: pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6, threads: count("/proc/self/task"),
            descriptors: count("/proc/self/fd"))
    }

    public var description: String {
        String(format: "%.1f MB, %d threads, %d descriptors", megabytes, threads, descriptors)
    }
}
