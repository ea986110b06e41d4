import Foundation

/// The CPU time of this process, in seconds.
func cpuTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The context switches of each thread of this process.
struct Switches {
    /// The threads by their number.
    let threads: [Int: (name: String, count: Int)]

    init() {
        let folder = "/proc/self/task"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        threads = numbers.reduce(into: [:]) { threads, number in
            guard let number = Int(number),
                let status = try? String(contentsOfFile: "\(folder)/\(number)/status", encoding: .utf8)
            else { return }
            var (name, count) = ("", 0)
            for line in status.split(separator: "\n") {
                let value = line.split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespaces) ?? ""
                if line.hasPrefix("Name:") { name = value }
                if line.contains("ctxt_switches:") { count += Int(value) ?? 0 }
            }
            threads[number] = (name, count)
        }
    }
}
