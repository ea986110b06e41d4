import ArgumentParser
import Foundation
import Logging

@main
struct Main {
    @MainActor
    static func main() async {
        // The host prints its own messages.
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        var arguments = Array(CommandLine.arguments.dropFirst())
        // A file with the name of the command has priority.
        let checksLogs = arguments.first == CheckLog.name && !FileManager.default.fileExists(atPath: CheckLog.name)
        if checksLogs { arguments.removeFirst() }
        let command: any HostCommand.Type = checksLogs ? CheckLog.self : Options.self
        do {
            try ArgumentList.rejectShortOptions(in: arguments)
            leave(with: try await command.parse(ArgumentList.expandShuffle(in: arguments)).run())
        } catch {
            let isUsage = command.exitCode(for: error) != .success
            Messages.write(command.fullMessage(for: error) + "\n", to: isUsage ? 2 : 1)
            leave(with: isUsage ? .usage : .success)
        }
    }

    private static func leave(with status: ExitCode) -> Never {
        fflush(nil)
        // `_exit` skips the exit handlers, since they free objects that threads of the engine may still use.
        _exit(status.rawValue)
    }
}

/// A command that `flowplay` runs.
protocol HostCommand: ParsableCommand {
    @MainActor func run() async throws -> ExitCode
}

extension ExitCode {
    static let faultInLog = Self(1)
    static let usage = Self(2)
    static let unreadable = Self(2)
    static let itemFailed = Self(3)

    /// The status of a process that a signal ended, as shells report it.
    static func signal(_ number: Int32) -> Self { Self(128 + number) }
}
