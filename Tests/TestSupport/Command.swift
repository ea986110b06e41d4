import Foundation

/// A program to run.
public struct Command: Sendable {
    public struct Result: Sendable {
        /// The exit status; of a program that a signal ended, 128 and its number.
        public let status: Int32
        public let output: String
        public let errors: String
    }

    public var program: String
    public var arguments: [String]
    /// Added to this process's own.
    public var environment: [String: String] = [:]
    public var directory: URL?

    public init(_ program: String, _ arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }

    /// Runs to the end, with no input.
    public func run() async throws -> Result {
        let running = try start()
        return await running.result
    }

    /// Starts, with no input.
    public func start() throws -> RunningCommand { try RunningCommand(self) }
}

/// A program that runs.
public final class RunningCommand: Sendable {
    private let process: Process
    private let output: Task<String, Never>
    private let errors: Task<String, Never>
    private let exit: Task<Int32, Never>

    init(_ command: Command) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [command.program] + command.arguments
        process.environment = ProcessInfo.processInfo.environment.merging(command.environment) { $1 }
        process.currentDirectoryURL = command.directory
        process.standardInput = FileHandle.nullDevice
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        let (ended, end) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { process in
            end.yield(process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
        }
        try process.run()
        self.process = process
        output = Self.read(out)
        errors = Self.read(err)
        exit = Task {
            for await status in ended { return status }
            return -1
        }
    }

    public var result: Command.Result {
        get async { await Command.Result(status: exit.value, output: output.value, errors: errors.value) }
    }

    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    private static func read(_ pipe: Pipe) -> Task<String, Never> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            let data = (try? handle.readToEnd()) ?? Data()
            continuation.yield(String(decoding: data, as: UTF8.self))
        }
        return Task {
            for await text in stream { return text }
            return ""
        }
    }
}

/// Asks again and again until the answer is `true`.
///
/// For what tells nobody that it has changed, such as another program's screen.
///
/// - Returns: `false` if the time was up first.
public func eventually(within bound: Duration = .seconds(10), _ condition: () async throws -> Bool) async rethrows -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + bound
    while clock.now < deadline {
        if try await condition() { return true }
        try? await clock.sleep(for: .milliseconds(20))
    }
    return false
}
