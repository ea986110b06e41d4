import Foundation

/// The state of a process, from `/proc`.
public struct ProcessStat: Sendable {
    /// `R` and `S` of one that runs, `T` of one that is stopped, `Z` of one that nobody has waited for.
    public let state: Character
    public let parent: pid_t
    public let group: pid_t
    /// The group that has the process's terminal now.
    public let foregroundGroup: pid_t

    /// `nil` if there is no such process.
    public init?(of process: pid_t) {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 5, let state = fields[0].first, let parent = pid_t(fields[1]),
            let group = pid_t(fields[2]), let foregroundGroup = pid_t(fields[5])
        else { return nil }
        (self.state, self.parent, self.group) = (state, parent, group)
        self.foregroundGroup = foregroundGroup
    }

    public var isStopped: Bool { state == "T" }
    public var isInForeground: Bool { group == foregroundGroup }

    /// The processes that another has started.
    public static func children(of process: pid_t) -> [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { ProcessStat(of: $0)?.parent == process }
    }
}
