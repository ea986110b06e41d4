#if VLC || GStreamer
import CPulse
import Playback

// Queries to the server. Each waits for the answer.
extension PulseConnection {
    private typealias StreamInfo = (index: UInt32, role: String, isMuted: Bool)

    /// Returns `true` if the server has an output with this name, or `nil` if it does not answer.
    private func hasSink(_ name: String) -> Bool? {
        let sinks: [String]? = locked {
            query {
                pa_context_get_sink_info_by_name(
                    context, name,
                    { PulseAnswer<String>.receive($1.map { String(cString: $0.pointee.name) }, $2, $3) }, $0)
            }
        }
        return sinks.map { !$0.isEmpty }
    }

    /// Returns the change of the output that the server has moved a stream to. Connects, and waits for an answer.
    ///
    /// - Parameter client: the client name that the server shows.
    package static func routeChange(from old: String, to new: String, client: String) -> AudioRouteChange {
        let isGone = PulseConnection(name: client)?.hasSink(old) == false
        return AudioRouteChange(isGone ? .oldDeviceUnavailable : .override, device: new)
    }

    /// Returns `true` if the server would silence a new stream with this role now.
    package func silences(_ role: AudioRole) -> Bool { locked { silences(role.rawValue, streams: streams()) } }

    /// Returns `true` if the server has muted the stream in favour of another one. Called under the lock.
    func silences(stream index: UInt32) -> Bool {
        let streams = streams()
        guard let stream = streams.first(where: { $0.index == index }), stream.isMuted else { return false }
        return silences(stream.role, streams: streams)
    }

    private func silences(_ role: String, streams: [StreamInfo]) -> Bool {
        let rules: [PulseCorkRule]? = query {
            pa_context_get_module_info_list(
                context, { PulseAnswer<PulseCorkRule>.receive($1.flatMap { PulseCorkRule($0.pointee) }, $2, $3) }, $0)
        }
        return (rules ?? []).contains { rule in
            rule.corkRoles.contains(role) && streams.contains { rule.triggerRoles.contains($0.role) }
        }
    }

    private func streams() -> [StreamInfo] {
        query {
            pa_context_get_sink_input_info_list(
                context,
                { _, info, end, answer in
                    let role = info.flatMap { pa_proplist_gets($0.pointee.proplist, PA_PROP_MEDIA_ROLE) }
                    let name = role.map { String(cString: $0) } ?? "no_role"
                    let stream = info.map { ($0.pointee.index, name, $0.pointee.mute != 0) }
                    PulseAnswer<StreamInfo>.receive(stream, end, answer)
                }, $0)
        } ?? []
    }

    /// - Parameter start: starts the query. Its parameter is the context of the callback.
    /// - Returns: `nil` if the server does not answer.
    private func query<Item>(_ start: (UnsafeMutableRawPointer) -> OpaquePointer?) -> [Item]? {
        let answer = PulseAnswer<Item>(self)
        guard let operation = start(Unmanaged.passUnretained(answer).toOpaque()) else { return nil }
        while isReady, pa_operation_get_state(operation) == PA_OPERATION_RUNNING { wait() }
        let isDone = pa_operation_get_state(operation) == PA_OPERATION_DONE
        pa_operation_cancel(operation)
        pa_operation_unref(operation)
        return isDone ? answer.items : nil
    }
}

/// The items of an answer, which the server sends one by one.
private final class PulseAnswer<Item> {
    private(set) var items: [Item] = []
    private let connection: PulseConnection

    init(_ connection: PulseConnection) { self.connection = connection }

    /// - Parameter end: not 0 after the last item.
    static func receive(_ item: Item?, _ end: Int32, _ pointer: UnsafeMutableRawPointer?) {
        guard let pointer else { return }
        let answer = Unmanaged<PulseAnswer>.fromOpaque(pointer).takeUnretainedValue()
        if end != 0 { answer.connection.signal() } else if let item { answer.items.append(item) }
    }
}

/// The roles that a `module-role-cork` silences, and the roles that trigger it.
struct PulseCorkRule: Equatable {
    /// The module's defaults.
    private(set) var triggerRoles: Set<String> = ["phone"]
    private(set) var corkRoles: Set<String> = ["music", "video"]

    fileprivate init?(_ module: pa_module_info) {
        guard String(cString: module.name) == "module-role-cork" else { return nil }
        self.init(module.argument.map { String(cString: $0) } ?? "")
    }

    init(_ arguments: String) {
        for argument in arguments.split(separator: " ") {
            let parts = argument.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].trimmingPrefix("\"").split(separator: "\"").first ?? ""
            let roles = Set(value.split(separator: ",").map(String.init))
            switch parts[0] {
            case "trigger_roles": triggerRoles = roles
            case "cork_roles": corkRoles = roles
            default: break
            }
        }
    }
}
#endif
