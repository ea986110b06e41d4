import Foundation
import Synchronization

/// A program to run.
public struct Command: Sendable {
    public struct Result: Sendable {
        /// The exit status. For a program that a signal ended, 128 plus the signal's number.
        public let status: Int32
        public let output: String
        public let errors: String
    }

    public var program: String
    public var arguments: [String]
    /// Added to this process's own environment.
    public var environment: [String: String] = [:]
    public var directory: URL?

    public init(_ program: String, _ arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }

    /// Runs the program to its end, without input.
    public func run() async throws -> Result {
        try await start().result
    }

    /// Starts the program, without input.
    public func start() async throws -> RunningCommand { try RunningCommand(self) }

    /// Writes a script that can be started at once.
    ///
    /// Another process writes the file. If this one did, a program that another test starts at this moment would have the file
    /// open, and the system starts no program that is open for writing (`ETXTBSY`).
    public static func writeScript(_ text: String, to program: URL) async throws {
        let source = program.appendingPathExtension("source")
        try Data(text.utf8).write(to: source)
        defer { try? FileManager.default.removeItem(at: source) }
        let result = try await Command("install", ["-m", "755", source.path(), program.path()]).run()
        guard result.status == 0 else { throw FixtureError(description: result.errors) }
    }
}

/// A program that runs.
///
/// The program writes to files, not to pipes. A pipe stays open as long as any descendant of the program holds it, so that a daemon
/// would keep the reader waiting.
public final class RunningCommand: Sendable {
    private enum State {
        case running(waiting: [CheckedContinuation<Int32, Never>])
        case ended(Int32)
    }

    public let processIdentifier: pid_t
    private let folder: URL
    private let state = Mutex(State.running(waiting: []))

    init(_ command: Command) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "flowplayer-command-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            processIdentifier = try Self.spawn(command, folder)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        // The wait blocks, so it has its own thread. The thread keeps the command until the program has ended.
        Thread { self.waitForExit() }.start()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The status and the output, once the program has ended.
    public var result: Command.Result {
        get async throws {
            let status = await withCheckedContinuation { continuation in
                let status: Int32? = state.withLock { state in
                    switch state {
                    case .running(let waiting):
                        state = .running(waiting: waiting + [continuation])
                        return nil
                    case .ended(let status): return status
                    }
                }
                if let status { continuation.resume(returning: status) }
            }
            return Command.Result(status: status, output: try text("output"), errors: try text("errors"))
        }
    }

    /// The output until now.
    public var outputSoFar: String { get throws { try text("output") } }

    /// The errors until now.
    public var errorsSoFar: String { get throws { try text("errors") } }

    /// Sends a signal. Does nothing once the program has ended.
    public func signal(_ number: Int32) {
        state.withLock { if case .running = $0 { kill(processIdentifier, number) } }
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }

    private func waitForExit() {
        // The program stays a zombie until the lock is held, so that `signal` never reaches another process.
        var information = siginfo_t()
        while waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        let (status, waiting) = state.withLock { state in
            var status: Int32 = 0
            waitpid(processIdentifier, &status, 0)
            let signal = status & 0x7F
            let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            guard case .running(let waiting) = state else { return (code, [CheckedContinuation<Int32, Never>]()) }
            state = .ended(code)
            return (code, waiting)
        }
        for continuation in waiting { continuation.resume(returning: status) }
    }

    private static func spawn(_ command: Command, _ folder: URL) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (descriptor, name) in [(Int32(1), "output"), (2, "errors")] {
            let path = folder.appending(path: name).path()
            posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        GNUExtensions.addCloseFrom(&actions, 3)
        if let directory = command.directory { GNUExtensions.addDirectory(&actions, directory.path()) }

        // Threads of the dispatch library block signals, and a program inherits what is blocked.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let environment = ProcessInfo.processInfo.environment.merging(command.environment) { $1 }
        var arguments = ([command.program] + command.arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, command.program, &actions, &attributes, &arguments, &variables)
        guard error == 0 else {
            throw FixtureError(description: "\(command.program) did not start: \(String(cString: strerror(error)))")
        }
        return process
    }
}

/// Functions of the C library that its Swift module does not show.
private enum GNUExtensions {
    typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

    /// Closes every descriptor from a number on.
    static let addCloseFrom = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"), to: (@convention(c) (Actions, Int32) -> Void).self)

    /// Runs the program in a directory.
    static let addDirectory = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addchdir_np"),
        to: (@convention(c) (Actions, UnsafePointer<CChar>) -> Void).self)
}

/// Asks repeatedly until the answer is `true`.
///
/// For a change that nobody reports, such as one of another program's screen.
///
/// - Returns: `false` if the answer is still `false` after the bound.
public nonisolated(nonsending) func eventually(
    within bound: Duration = .longestWait, _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + bound
    while true {
        // Read before the answer: other tests may have kept this actor busy until after the bound.
        let isLast = clock.now >= deadline
        if try await condition() { return true }
        if isLast { return false }
        try? await clock.sleep(for: .milliseconds(20))
    }
}

extension Duration {
    /// How long a test waits for an engine, a server, a terminal or a bus before it fails. Long enough for a machine whose cores are
    /// busy with other programs.
    public static let longestWait = Duration.seconds(120)
}
