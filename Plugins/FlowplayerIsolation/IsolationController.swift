import Foundation
import MediaTransport
import Playback

/// Passes commands to the engine's process and its events to the player, and replaces the process when it fails.
final class IsolationController {
    enum Input: Sendable {
        case start(@Sendable (BackendEvent) -> Void)
        case command(BackendCommand)
        case output(VideoOutput)
        /// The backend is released.
        case close
        /// From the process of that number.
        case report(EngineProcess.Report, process: Int)
        /// A request for a file or a connection, from the process of that number, has been answered.
        case served(process: Int)
        /// The time for an answer of the process may be over.
        case check
        case status(CheckedContinuation<EngineStatus?, Never>)
    }

    /// A process has to answer within this time.
    private static let answerTimeout = Duration.seconds(3)
    /// A process whose threads are all stopped by a signal has this time.
    private static let stoppedTimeout = Duration.seconds(0.5)
    /// In seconds.
    private static let checkInterval = 0.25
    /// A process that waits for a core has this time.
    private static let busyTimeout = Duration.seconds(20)
    private static let impossible = "It violated the protocol: It sent an impossible time, position or count."
    private static let restartLimit = 3
    /// An item that has played for this time since a restart has recovered, in seconds.
    private static let recoveryTime = 30.0
    /// The longest wait for a file that is opened before the process asks for it, in seconds. A dead network mount never answers.
    private static let fileTimeout = 0.05
    /// The longest wait for the beginning of a file, which shows whether it is a playlist, in seconds.
    private static let accessTimeout = 10.0

    /// A running process of the engine, and what the host knows about it.
    private struct Engine {
        let process: EngineProcess
        /// Counts the processes. Reports of earlier ones are dropped.
        let number: Int
        let access: EngineAccess
        /// The destination that it was sent last.
        var destination: VideoDestination?
        /// `nil` until it is ready.
        var protections: Set<EngineProtection>?
        /// The time between the zeros of its clock and the host's.
        var offset = Duration.zero
        /// The number of requests for files and connections that are not answered.
        var openRequests = 0
        /// The reason for which the host has killed it.
        var killReason: String?
        /// The time of its last message.
        var lastMessage = ContinuousClock.now
        /// `true` if it was asked for a message since then.
        var isPinged = false
    }

    private let request: EngineRequest
    private let program: URL?
    private let capabilities: BackendCapabilities
    private let inputs: AsyncStream<Input>.Continuation
    private let frames = FrameReceiver()
    private let clock = ContinuousClock()
    private var receive: @Sendable (BackendEvent) -> Void = { _ in }
    private var output = VideoOutput.none
    private var recovery = EngineRecovery()
    /// The access that items need, by their addresses. Each is determined once.
    private var accesses: [URL: EngineAccess] = [:]
    private var engine: Engine?
    private var startedProcesses = 0
    private var isClosing = false
    /// The restarts since the item has recovered, the time that it has played since the last one in seconds, and its last position.
    private var restarts: (count: Int, played: Double, position: Double?) = (0, 0, nil)
    private var isChecking = false
    private var lastCheck = ContinuousClock.now
    /// The last rates that the engine has reported.
    private var statistics = PlaybackStatistics()
    private var usageTime = ContinuousClock.now
    private var log = EngineReport()

    init(
        request: EngineRequest, program: URL?, capabilities: BackendCapabilities,
        inputs: AsyncStream<Input>.Continuation
    ) {
        self.request = request
        self.program = program
        self.capabilities = capabilities
        self.inputs = inputs
    }

    deinit { engine?.process.kill() }

    /// Returns `false` after the last input.
    func handle(_ input: Input) -> Bool {
        switch input {
        case .start(let receive): self.receive = receive
        case .command(let command): perform(command)
        case .output(let output):
            self.output = output
            if case .frames(let sink) = output { frames.sink = sink } else { frames.sink = nil }
            show()
        case .close:
            isClosing = true
            guard let engine else { return false }
            engine.process.finish()
            keepChecking()
        case .report(let report, let number):
            guard let engine, engine.number == number else { return true }
            switch report {
            case .message(let message): handle(message)
            case .ended(let end):
                self.engine = nil
                if isClosing { return false }
                ended(engine, end)
            }
        case .served(let number): if engine?.number == number { engine?.openRequests -= 1 }
        case .check: check()
        case .status(let continuation):
            continuation.resume(
                returning: engine.flatMap { engine in
                    engine.protections.map {
                        EngineStatus(processIdentifier: engine.process.identifier, protections: $0)
                    }
                })
        }
        return true
    }

    // MARK: Commands

    private func perform(_ command: BackendCommand) {
        recovery.record(command)
        log.add("> " + command.text)
        if case .open = command {
            // The limit is that of one item.
            restarts = (0, 0, nil)
            // The file may have changed.
            accesses = [:]
        }
        if let engine, canPerform(command, with: engine) {
            // The sink may have another size since it was set.
            if case .open = command, engine.destination != VideoDestination(output) { show() }
            send(command, to: engine.process)
        } else if case .prepare = command, engine != nil {
            // The item is opened in another process when its turn comes.
        } else if let engine {
            // The item needs a process with other access.
            engine.process.finish()
            self.engine = nil
            send(recovery.endOthers())
            startProcess()
        } else if recovery.hasOpenings {
            startProcess()
        }
        if recovery.hasOpenings { keepChecking() }
    }

    /// `false` if the last of the items needs a process with other access.
    private func canPerform(_ command: BackendCommand, with engine: Engine) -> Bool {
        switch command {
        case .open, .prepare: [.none, engine.access].contains(recovery.items.last.map(access) ?? .none)
        default: true
        }
    }

    private func access(of item: PlayerItem) -> EngineAccess {
        if let access = accesses[item.url] { return access }
        let access = EngineAccess(for: item, within: Self.accessTimeout)
        accesses[item.url] = access
        return access
    }

    private func send(_ command: BackendCommand, to process: EngineProcess) {
        switch command {
        case .open(let request), .prepare(let request, _): sendFiles(of: request.item, to: process)
        default: break
        }
        process.send(.command(command))
    }

    /// Saves the process two requests, which take a millisecond each.
    private func sendFiles(of item: PlayerItem, to process: EngineProcess) {
        guard item.url.isFileURL else { return }
        let path = item.url.path(percentEncoded: false)
        for file in HostResources.openRegularFile(path, within: Self.fileTimeout) {
            process.send(.file(path: path), file: file)
        }
    }

    private func show() {
        let destination = VideoDestination(output)
        engine?.destination = destination
        engine?.process.send(.show(destination))
    }

    private func startProcess() {
        guard let program else {
            return fail(
                .backendUnavailable,
                "flowplayer-engine is not beside this program. Install it there, or name it in \(EngineProgram.variable)."
            )
        }
        var request = request
        request.access = recovery.items.first.map(access) ?? .none
        let process: EngineProcess
        do {
            process = try EngineProgram.process(program, running: request)
        } catch {
            return fail(
                .backendUnavailable,
                "\(program.path(percentEncoded: false)) does not start: \(error.localizedDescription)")
        }
        startedProcesses += 1
        engine = Engine(process: process, number: startedProcesses, access: request.access)
        frames.read(process)
        // The process keeps this closure.
        process.read { [inputs, number = startedProcesses] in inputs.yield(.report($0, process: number)) }
        show()
        for command in recovery.commands() { send(command, to: process) }
    }

    // MARK: Messages

    private func handle(_ message: EngineMessage) {
        engine?.lastMessage = clock.now
        engine?.isPinged = false
        switch message {
        case .ready(let description):
            engine?.protections = description.protections
            log.add("Protections: \(description.protections.map(\.rawValue).sorted().joined(separator: ", "))")
            guard description.protocolVersion == EngineDescription.protocolVersion,
                description.capabilities == capabilities
            else {
                engine?.process.kill()
                let reason =
                    description.capabilities == nil
                    ? "has no engine \"\(request.engine)\"" : "is of another version than this one"
                return fail(
                    .backendUnavailable,
                    "The program \(program?.lastPathComponent ?? "") \(reason). Install both from the same build.")
            }
            guard description.isPossible else { return kill(Self.impossible) }
            engine?.offset = clock.now - clock.hostTime - description.zero
        case .event(let event): handle(event)
        case .pong: break
        case .openFile(let request, let path):
            serve { policy, process in
                let file = HostResources.open(path, policy)
                process.send(.opened(request: request, error: max(0, -file)), file: file)
            }
        case .connect(let request, let server, let seconds):
            serve { policy, process in
                do throws(ConnectionFailure) {
                    let socket = try HostResources.connect(to: server, within: seconds, policy)
                    process.send(.connected(request: request, nil), file: socket)
                } catch {
                    process.send(.connected(request: request, error))
                }
            }
        }
    }

    /// Runs a request of the process on another thread, because it may block.
    private func serve(_ work: @escaping @Sendable (AccessPolicy, EngineProcess) -> Void) {
        guard let engine else { return }
        guard engine.openRequests < HostResources.requestLimit else {
            return kill("It opened too many files and connections at once.")
        }
        self.engine?.openRequests += 1
        let policy = AccessPolicy(items: recovery.items.map { ($0, access(of: $0)) })
        DispatchQueue.global(qos: .userInitiated).async { [inputs] in
            work(policy, engine.process)
            inputs.yield(.served(process: engine.number))
        }
    }

    private func handle(_ event: BackendEvent) {
        // It may hang while it closes an item that has been replaced.
        if event.isOfStuckEngine { return kill("A call of the engine did not return.") }
        guard recovery.isCurrent(event) else { return }
        guard event.isPossible else { return kill(Self.impossible) }
        log.add(event.text)
        guard let engine, engine.killReason == nil else { return }
        if case .time(let position) = event.body { played(to: position) }
        // The other process cannot set the time of an event beyond now.
        let time = min(event.hostTime - engine.offset, clock.hostTime)
        let reaction = recovery.handle(BackendEvent(event.body, generation: event.generation, hostTime: time))
        for body in reaction.events.flatMap(addUsage) {
            receive(BackendEvent(body, generation: event.generation, hostTime: time))
        }
        for command in reaction.commands { send(command, to: engine.process) }
    }

    /// Adds the CPU time and the memory of the process to the engine's statistics, once a second.
    private func addUsage(_ body: BackendEvent.Body) -> [BackendEvent.Body] {
        if case .statistics(let report) = body {
            statistics = report
            (statistics.bytesReceived, statistics.droppedFrames, statistics.retries) = (0, 0, 0)
        }
        guard case .time = body, clock.now - usageTime >= .seconds(1), let usage = engine?.process.usage else {
            return [body]
        }
        usageTime = clock.now
        (statistics.engineCPUTime, statistics.engineMemory) = usage
        return [.statistics(statistics), body]
    }

    private func send(_ events: [(Generation, BackendEvent.Body)]) {
        for (generation, body) in events {
            log.add(body.text)
            receive(BackendEvent(body, generation: generation, hostTime: clock.hostTime))
        }
    }

    private func fail(_ code: PlaybackErrorCode, _ detail: String) {
        send(recovery.fail { PlaybackError(code, url: $0, detail: detail) })
    }

    // MARK: Restarts

    private func kill(_ reason: String) {
        guard engine?.killReason == nil else { return }
        engine?.killReason = reason
        engine?.process.kill()
    }

    private func ended(_ engine: Engine, _ end: EngineProcess.End) {
        let reason = engine.killReason ?? end.text
        log.add("The engine is gone: \(reason)")
        guard recovery.hasOpenings else { return }
        guard restarts.count < Self.restartLimit else {
            let file = log.write(engine.process.identifier)
            restarts = (0, 0, nil)
            return fail(.engineCrashed, file.map { "\(reason) Report: \($0.path(percentEncoded: false))" } ?? reason)
        }
        restarts = (restarts.count + 1, 0, nil)
        let message = "The playback engine was started again. \(reason)"
        send(recovery.interrupt(PlaybackNotice(code: "engineRestarted", message: message), at: clock.hostTime))
        startProcess()
    }

    private func played(to position: Double) {
        // A seek is no playback.
        restarts.played += min(max(0, position - (restarts.position ?? position)), 1)
        restarts.position = position
        if restarts.played >= Self.recoveryTime { restarts.count = 0 }
    }

    // MARK: Watching

    private func keepChecking() {
        guard !isChecking else { return }
        isChecking = true
        lastCheck = clock.now
        engine?.lastMessage = lastCheck
        checkLater()
    }

    private func checkLater() {
        DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + Self.checkInterval) { [inputs] in
            inputs.yield(.check)
        }
    }

    private func timeout(of engine: Engine) -> Duration {
        if engine.protections == nil || isClosing { return Self.busyTimeout }
        return switch engine.process.activity {
        case .busy: Self.busyTimeout
        case .stopped: Self.stoppedTimeout
        case .waiting: Self.answerTimeout
        }
    }

    private func check() {
        guard let engine, recovery.hasOpenings || isClosing else {
            isChecking = false
            return
        }
        let now = clock.now
        // This process was stopped or waited for a core itself.
        let isLate = (now - lastCheck).inSeconds > Self.checkInterval * 3
        lastCheck = now
        if isLate { self.engine?.lastMessage = now }
        let silence = isLate ? .zero : now - engine.lastMessage
        if engine.isPinged || isClosing {
            if silence > timeout(of: engine) { kill("It did not answer in time.") }
        } else if silence.inSeconds > Self.checkInterval {
            self.engine?.isPinged = true
            engine.process.send(.ping)
        }
        checkLater()
    }
}

extension BackendEvent {
    /// `true` if a call of the engine did not return.
    fileprivate var isOfStuckEngine: Bool {
        switch body {
        case .notice(let notice): notice.code == PlaybackErrorCode.engineStuck.name
        case .failed(let error, _): error.code == .engineStuck
        default: false
        }
    }
}

extension EngineProcess.End {
    /// The reason as a sentence.
    var text: String {
        switch self {
        case .signal(let number): "It was ended by signal \(number) (\(String(cString: strsignal(number))))."
        case .exit(let status): "It exited with status \(status)."
        case .violation(let reason): "It violated the protocol: \(reason)"
        }
    }
}

/// The last commands and events of an engine, for a report of its crash.
private struct EngineReport {
    private static let lineLimit = 200
    private var lines: [(time: Date, text: () -> String)] = []

    /// The text is made only for a report.
    mutating func add(_ line: @autoclosure @escaping () -> String) {
        lines.append((.now, line))
        if lines.count > Self.lineLimit { lines.removeFirst(lines.count - Self.lineLimit) }
    }

    /// Writes the lines to a new file, named after the time and the process. Addresses are redacted.
    func write(_ process: pid_t) -> URL? {
        let folder = EngineProgram.folder.appending(path: "crashes")
        let file = folder.appending(
            path: "\(Date.now.formatted(.iso8601.dateTimeSeparator(.standard)))-\(process).log")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let text = lines.map { line in
                "\(line.time.formatted(.iso8601.time(includingFractionalSeconds: true))) \(line.text())\n"
            }
            try Data(text.joined().utf8).write(to: file)
            return file
        } catch {
            return nil
        }
    }
}
