import Foundation
import Subprocess
import SystemPackage

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
        try await start().result
    }

    /// Starts, with no input.
    public func start() async throws -> RunningCommand { try await RunningCommand(self) }
}

/// A program that runs.
public final class RunningCommand: Sendable {
    public let processIdentifier: pid_t
    private let task: Task<Command.Result, any Error>

    init(_ command: Command) async throws {
        let (started, start) = AsyncStream<pid_t>.makeStream()
        task = Task {
            defer { start.finish() }
            let outcome = try await Subprocess.run(
                command.program.contains("/") ? .path(FilePath(command.program)) : .name(command.program),
                arguments: Arguments(command.arguments),
                environment: .inherit.updating(
                    Dictionary(uniqueKeysWithValues: command.environment.map { (.init(rawValue: $0)!, $1) })),
                workingDirectory: command.directory.map { FilePath($0.path()) },
                input: .none, output: .string(limit: 1 << 24), error: .string(limit: 1 << 24)
            ) { execution in
                start.yield(execution.processIdentifier.value)
                start.finish()
            }
            let status: Int32 =
                switch outcome.terminationStatus {
                case .exited(let code): code
                case .signaled(let number): 128 + number
                }
            return Command.Result(
                status: status, output: outcome.standardOutput, errors: outcome.standardError)
        }
        var identifier: pid_t?
        for await started in started { identifier = started }
        guard let identifier else {
            _ = try await task.value
            throw FixtureError(description: "\(command.program) did not start")
        }
        processIdentifier = identifier
    }

    public var result: Command.Result {
        get async throws { try await task.value }
    }

    public func signal(_ number: Int32) { kill(processIdentifier, number) }
}

/// Asks again and again until the answer is `true`.
///
/// For what tells nobody that it has changed, such as another program's screen.
///
/// - Returns: `false` if the time was up first.
public nonisolated(nonsending) func eventually(
    within bound: Duration = .seconds(10), _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + bound
    while clock.now < deadline {
        if try await condition() { return true }
        try? await clock.sleep(for: .milliseconds(20))
    }
    return false
}
