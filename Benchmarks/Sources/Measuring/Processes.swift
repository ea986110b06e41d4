import Foundation

/// The user and system time of a process, in seconds.
public func cpuTime(of process: pid_t) throws -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
        throw Failure(description: "the process \(process) has ended")
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
}

/// The memory of a process in MB (PSS).
public func memory(of process: pid_t) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
    guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
        throw Failure(description: "the process \(process) has no memory")
    }
    return kilobytes * 1024 / 1e6
}
