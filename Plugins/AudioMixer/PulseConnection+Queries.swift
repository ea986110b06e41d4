#if VLC
import CPulse
import Playback

// What the server can be asked. With the lock where it says so.
extension PulseConnection {
    /// Whether the server has an output of that name; `nil` if it does not answer. Without the lock.
    package func hasSink(_ name: String) -> Bool? {
        let answer = PulseAnswer(loop)
        let isAnswered = locked {
            ask(answer) {
                pa_context_get_sink_info_by_name(
                    context, name,
                    { _, info, end, pointer in
                        PulseAnswer.at(pointer)?.take(end) { $0.isThere = $0.isThere || info != nil }
                    }, $0)
            }
        }
        return isAnswered ? answer.isThere : nil
    }

    /// Whether a stream of a role would have to be silent now. Without the lock.
    package func silences(_ role: AudioRole) -> Bool { locked { silences(role.rawValue, among: streams() ?? []) } }

    /// Whether the server has muted a stream for another one. With the lock.
    package func givesWay(_ stream: UInt32) -> Bool {
        guard let streams = streams(), let own = streams.first(where: { $0.index == stream }), own.isMuted else {
            return false
        }
        return silences(own.role, among: streams)
    }

    private func silences(_ role: String, among streams: [PulseAnswer.Stream]) -> Bool {
        rules().contains { rule in
            rule.silenced.contains(role) && streams.contains { rule.triggers.contains($0.role) }
        }
    }

    private func streams() -> [PulseAnswer.Stream]? {
        let answer = PulseAnswer(loop)
        let isAnswered = ask(answer) {
            pa_context_get_sink_input_info_list(
                context,
                { _, info, end, pointer in
                    PulseAnswer.at(pointer)?.take(end) { answer in
                        if let info { answer.streams.append(PulseAnswer.Stream(info.pointee)) }
                    }
                }, $0)
        }
        return isAnswered ? answer.streams : nil
    }

    /// What the server's modules for that are told to do.
    private func rules() -> [PulseRule] {
        let answer = PulseAnswer(loop)
        _ = ask(answer) {
            pa_context_get_module_info_list(
                context,
                { _, info, end, pointer in
                    PulseAnswer.at(pointer)?.take(end) { answer in
                        guard let info, String(cString: info.pointee.name) == PulseRule.module else { return }
                        answer.rules.append(PulseRule(info.pointee.argument.map { String(cString: $0) } ?? ""))
                    }
                }, $0)
        }
        return answer.rules
    }
}

/// Who is silent for whom, as the arguments of a module say.
package struct PulseRule: Equatable {
    package static let module = "module-role-cork"

    /// The module's defaults.
    package private(set) var triggers: Set<String> = ["phone"]
    package private(set) var silenced: Set<String> = ["music", "video"]

    package init(_ arguments: String) {
        for argument in arguments.split(separator: " ") {
            let parts = argument.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].trimmingPrefix("\"").split(separator: "\"").first ?? ""
            let roles = Set(value.split(separator: ",").map(String.init))
            switch parts[0] {
            case "trigger_roles": triggers = roles
            case "cork_roles": silenced = roles
            default: break
            }
        }
    }
}

/// What the server says, as it comes.
package final class PulseAnswer {
    package struct Stream {
        package let index: UInt32
        package let role: String
        package let isMuted: Bool

        package init(_ info: pa_sink_input_info) {
            index = info.index
            role = pa_proplist_gets(info.proplist, PA_PROP_MEDIA_ROLE).map { String(cString: $0) } ?? "no_role"
            isMuted = info.mute != 0
        }
    }

    package var isThere = false
    package var streams: [Stream] = []
    package var rules: [PulseRule] = []
    private let loop: OpaquePointer

    package init(_ loop: OpaquePointer) { self.loop = loop }

    package static func at(_ pointer: UnsafeMutableRawPointer?) -> PulseAnswer? {
        pointer.map { Unmanaged<PulseAnswer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Parameter end: not 0 if there is nothing more to come.
    package func take(_ end: Int32, _ body: (PulseAnswer) -> Void) {
        if end == 0 { body(self) } else { pa_threaded_mainloop_signal(loop, 0) }
    }
}
#endif
