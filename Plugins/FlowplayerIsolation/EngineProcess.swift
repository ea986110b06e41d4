import CIsolation
import Foundation
import Playback
import Synchronization

/// The process of one engine.
final class EngineProcess: Sendable {
    /// The reason why the process is gone.
    enum End: Equatable, Sendable {
        case signal(Int32)
        case exit(Int32)
        /// The process has sent something invalid, and was killed.
        case violation(String)
    }

    enum Report: Sendable {
        case message(EngineMessage)
        case ended(End)
    }

    private enum State {
        /// The reports until there is a reader.
        case unread([Report])
        case read(by: @Sendable (Report) -> Void)
    }

    let identifier: pid_t
    let frames: FrameSocket
    private let socket: MessageSocket
    /// The reason to end the process, if it broke the protocol.
    private let violation = Mutex(String?.none)
    private let state = Mutex(State.unread([]))
    private let isAwaited = Mutex(false)
    /// Messages are written in order, without a wait for the process.
    private let writer = DispatchQueue(label: "swift-flowplayer.isolation.write", qos: .userInitiated)

    /// Starts a process with an engine.
    init(program: URL, running request: EngineRequest) throws {
        let (socket, other) = try MessageSocket.pair()
        defer { close(other) }
        let (frames, otherFrames) = try FrameSocket.pair()
        defer { close(otherFrames) }
        var identifier: pid_t = 0
        let variables = Self.environment().map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in variables { free(text) } }
        let error = isolation_spawn(&identifier, program.path(percentEncoded: false), other, otherFrames, variables)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .ENOENT) }
        self.identifier = identifier
        (self.socket, self.frames) = (socket, frames)
        send(.run(request))
        // Also for a process that nobody uses: its end must be awaited, or the system keeps it.
        Thread { self.receive() }.start()
    }

    /// - Parameter file: a descriptor to send with the message, closed afterwards; -1 for none.
    func send(_ message: HostMessage, file: Int32 = -1) {
        writer.async { [socket] in
            socket.send(message, file: file)
            if file >= 0 { close(file) }
        }
    }

    /// The longest time for the end of a process, in seconds.
    private static let longestEnd = 20.0

    /// Closes the connection. The engine closes everything, and the process ends. One that hangs is killed.
    func finish() {
        writer.async { [socket] in socket.finish() }
        // The writer waits for a process that does not read.
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestEnd) { [weak self] in self?.kill() }
    }

    /// Ends the process. Its end is reported as any other.
    func kill() {
        // The system gives the number of a process that was awaited to another one.
        isAwaited.withLock { isAwaited in
            if !isAwaited { Glibc.kill(identifier, SIGKILL) }
        }
    }

    /// Ends the process because it broke the protocol.
    func fail(_ reason: String) {
        violation.withLock { $0 = $0 ?? reason }
        kill()
    }

    /// Passes everything that the process sends, except its frames, to a handler, one report at a time, and at last its end. Call it once.
    ///
    /// - Parameter handler: called on any thread.
    func read(_ handler: @escaping @Sendable (Report) -> Void) {
        state.withLock { state in
            // The lock keeps later reports behind these.
            if case .unread(let reports) = state { for report in reports { handler(report) } }
            state = .read(by: handler)
        }
    }

    /// `true` if the process has ended before it was read.
    var hasEnded: Bool {
        state.withLock { state in
            guard case .unread(let reports) = state, case .ended? = reports.last else { return false }
            return true
        }
    }

    private func report(_ report: Report) {
        let handler = state.withLock { state -> (@Sendable (Report) -> Void)? in
            switch state {
            case .read(let handler): return handler
            case .unread(let reports):
                state = .unread(reports + [report])
                return nil
            }
        }
        handler?(report)
    }

    /// An engine without an item reports its capabilities and little else.
    private static let mostUnread = 100

    /// `true` if a process that nobody reads has sent more than an engine without an item does.
    private var isTooTalkative: Bool {
        state.withLock { state in
            guard case .unread(let reports) = state else { return false }
            return reports.count > Self.mostUnread
        }
    }

    private func receive() {
        var limit = MessageRate()
        do throws(MessageSocket.Violation) {
            while let (message, file) = try socket.receive(EngineMessage.self) {
                defer { if file >= 0 { close(file) } }
                guard limit.permits(), !isTooTalkative else {
                    throw MessageSocket.Violation(reason: "It sends too many messages.")
                }
                report(.message(message))
            }
        } catch {
            fail(error.reason)
        }
        kill()
        let end = waitForExit()
        report(.ended(violation.withLock(\.self).map(End.violation) ?? end))
    }

    private func waitForExit() -> End {
        var info = siginfo_t()
        while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        var status: Int32 = 0
        isAwaited.withLock { isAwaited in
            isAwaited = true
            waitpid(identifier, &status, 0)
        }
        let signal = status & 0x7F
        return signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
    }

    /// The CPU time in seconds, and the memory that is in use, in bytes; `nil` if the process has ended.
    var usage: (cpuTime: Double, memory: Int)? {
        let file = "/proc/\(identifier)/stat"
        guard let fields = ThreadStates.fields(in: file), fields.count > 21, let user = Double(fields[11]),
            let system = Double(fields[12]), let pages = Int(fields[21])
        else { return nil }
        return ((user + system) / Double(sysconf(Int32(_SC_CLK_TCK))), pages * Int(getpagesize()))
    }

    /// The state of the threads of a process at this moment.
    enum Activity {
        /// At least one has a core or waits for one, so the process is not to blame for a late answer.
        case busy
        /// All are stopped by a signal.
        case stopped
        case waiting
    }

    var activity: Activity {
        let states = ThreadStates(of: identifier)
        return states.workingThreads > 0 ? .busy : states.areStopped ? .stopped : .waiting
    }

    // MARK: The environment

    /// The variables that an engine needs: those of the display, of audio, of the language, and of the engine itself.
    private static func environment() -> [String: String] {
        let names: Set<String> = [
            "HOME", "USER", "PATH", "LANG", "LANGUAGE", "TZ", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
            "LD_LIBRARY_PATH", "http_proxy", "https_proxy", "no_proxy", "all_proxy", "HTTPS_PROXY", "NO_PROXY",
            "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
        ]
        let prefixes = ["LC_", "XDG_", "PULSE_", "PIPEWIRE_", "VLC_", "GST_", "FONTCONFIG_"]
        var variables = ProcessInfo.processInfo.environment.filter { variable in
            names.contains(variable.key) || prefixes.contains { variable.key.hasPrefix($0) }
        }
        let cache = EngineProgram.folder.appending(path: "cache")
        try? FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        for name in ["XDG_CACHE_HOME", "TMPDIR"] { variables[name] = cache.path(percentEncoded: false) }
        // An engine may start no program. GStreamer reads new plugins itself.
        variables["GST_REGISTRY_FORK"] = "no"
        // Swift would print a backtrace first, which takes seconds.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        return variables
    }
}

/// Limits the messages of a process, so that they cannot fill the memory of the host.
struct MessageRate {
    /// Frames and events are some hundreds a second.
    private static let messagesPerSecond = 4000
    private var second = ContinuousClock.now
    private var count = 0

    mutating func permits() -> Bool {
        let now = ContinuousClock.now
        if now - second > .seconds(1) { (second, count) = (now, 0) }
        count += 1
        return count <= Self.messagesPerSecond
    }
}

/// Finds the program of the engines, and keeps one process ready, so that another one need not be started first.
enum EngineProgram {
    private struct Spare {
        let program: URL
        let request: EngineRequest
        let process: EngineProcess

        func fits(_ program: URL, _ request: EngineRequest) -> Bool {
            self.program == program && self.request == request && !process.hasEnded
        }
    }

    /// The environment variable with the path of the program.
    static let variable = "FLOWPLAYER_ENGINE"
    private static let name = "flowplayer-engine"
    /// The folder of what engines write, in the user's folder of caches.
    static let folder = URL(
        filePath: "swift-flowplayer/engine",
        relativeTo: FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0])
    private static let spare = Mutex<Spare?>(nil)
    /// Starts one spare process after another.
    private static let starter = DispatchQueue(label: "swift-flowplayer.isolation.spare", qos: .utility)

    /// Says how to add the program, if there is none.
    static var missing: [String] {
        find() == nil ? ["Install \(name) beside this program, or name it in \(variable)."] : []
    }

    /// The program, or `nil` if there is none: the variable's, or the one beside this process's own program.
    static func find() -> URL? {
        if let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty { return URL(filePath: path) }
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map {
            URL(filePath: $0)
        }
        let program = own?.deletingLastPathComponent().appending(path: name)
        return program.flatMap {
            FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) ? $0 : nil
        }
    }

    /// The spare process if it fits, or a new one. Another spare one is started a second later, because the item that opens
    /// now needs the cores.
    static func process(_ program: URL, running request: EngineRequest) throws -> EngineProcess {
        let ready = spare.withLock { spare -> EngineProcess? in
            guard let found = spare, found.fits(program, request) else { return nil }
            spare = nil
            return found.process
        }
        let process = try ready ?? EngineProcess(program: program, running: request)
        starter.asyncAfter(deadline: .now() + 1) { keepSpare(program, request) }
        return process
    }

    private static func keepSpare(_ program: URL, _ request: EngineRequest) {
        let isReady = spare.withLock { $0?.fits(program, request) == true }
        guard !isReady, let next = try? EngineProcess(program: program, running: request) else { return }
        let replaced = spare.withLock { spare in
            let replaced = spare
            spare = Spare(program: program, request: request, process: next)
            return replaced
        }
        replaced?.process.finish()
    }
}
