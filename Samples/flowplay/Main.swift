import ArgumentParser
import Foundation
import Logging

@main
struct Main {
    static func main() async {
        // People are told what happens by the host itself.
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let arguments = CheckLog.arguments(in: arguments) {
            await run(CheckLog.self, arguments)
        } else {
            await run(Options.self, ShuffleArgument.spellOut(arguments))
        }
    }

    @MainActor
    private static func run(_ command: (some HostCommand).Type, _ arguments: [String]) async {
        do {
            leave(with: try await command.parse(arguments).run())
        } catch {
            let isUsage = command.exitCode(for: error) != .success
            Messages.write(command.fullMessage(for: error) + "\n", to: isUsage ? 2 : 1)
            leave(with: isUsage ? .usage : .success)
        }
    }

    private static func leave(with status: ExitStatus) -> Never {
        fflush(nil)
        // Without the handlers of `exit`: the engine's threads may still be at work with what those take down.
        _exit(status.rawValue)
    }
}

/// What the command line can ask for.
protocol HostCommand: ParsableCommand {
    @MainActor func run() async throws -> ExitStatus
}

/// A command of its own, which the first argument names.
protocol Subcommand: HostCommand {
    static var name: String { get }
}

extension Subcommand {
    /// The rest of the command line if it calls for this command: a file of the name is a medium, as everywhere.
    static func arguments(in arguments: some Collection<String>) -> [String]? {
        guard arguments.first == name, !FileManager.default.fileExists(atPath: name) else { return nil }
        return Array(arguments.dropFirst())
    }
}

/// How the host ends.
struct ExitStatus: RawRepresentable, Equatable {
    static let success = Self(rawValue: 0)
    static let faultInLog = Self(rawValue: 1)
    static let usage = Self(rawValue: 2)
    static let unreadable = Self(rawValue: 2)
    static let mediumFailed = Self(rawValue: 3)

    let rawValue: Int32

    /// As a shell tells that a signal ended a program.
    static func signal(_ number: Int32) -> Self { Self(rawValue: 128 + number) }
}
