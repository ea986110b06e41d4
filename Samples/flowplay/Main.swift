import ArgumentParser
import Foundation
import Logging

@main
struct Main {
    static func main() async {
        // The host prints its own messages.
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let arguments = CheckLog.arguments(in: arguments) {
            await run(CheckLog.self, arguments)
        } else {
            await run(Options.self, arguments)
        }
    }

    @MainActor
    private static func run(_ command: (some HostCommand).Type, _ arguments: [String]) async {
        do {
            let arguments = try command.prepared(arguments)
            leave(with: try await command.parse(arguments).run())
        } catch {
            let isUsage = command.exitCode(for: error) != .success
            Messages.write(command.fullMessage(for: error) + "\n", to: isUsage ? 2 : 1)
            leave(with: isUsage ? .usage : .success)
        }
    }

    private static func leave(with status: ExitStatus) -> Never {
        fflush(nil)
        // `_exit` skips the exit handlers, since they free objects that threads of the engine may still use.
        _exit(status.rawValue)
    }
}

/// A command that `flowplay` runs.
protocol HostCommand: ParsableCommand {
    /// Rewrites the arguments before the parser reads them.
    static func prepared(_ arguments: [String]) throws -> [String]
    @MainActor func run() async throws -> ExitStatus
}

extension HostCommand {
    static func prepared(_ arguments: [String]) -> [String] { arguments }
}

/// A command that the first argument selects.
protocol Subcommand: HostCommand {
    static var name: String { get }
}

extension Subcommand {
    /// Returns the remaining arguments if the first one selects this command. A file with its name has priority.
    static func arguments(in arguments: some Collection<String>) -> [String]? {
        guard arguments.first == name, !FileManager.default.fileExists(atPath: name) else { return nil }
        return Array(arguments.dropFirst())
    }
}

/// The exit status of the process.
struct ExitStatus: RawRepresentable, Equatable {
    static let success = Self(rawValue: 0)
    static let faultInLog = Self(rawValue: 1)
    static let usage = Self(rawValue: 2)
    static let unreadable = Self(rawValue: 2)
    static let itemFailed = Self(rawValue: 3)

    let rawValue: Int32

    /// The status of a process that a signal ended, as shells report it.
    static func signal(_ number: Int32) -> Self { Self(rawValue: 128 + number) }
}
