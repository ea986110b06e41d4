import ArgumentParser
import Foundation
import Logging

@main
struct Main {
    /// Not `async`, because a window of GTK needs the main thread.
    @MainActor
    static func main() {
        // The host prints its own messages.
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        var arguments = Array(CommandLine.arguments.dropFirst())
        var command: any HostCommand.Type = Options.self
        // A file with the name of a subcommand has priority.
        if let name = arguments.first, let named = subcommands[name], !FileManager.default.fileExists(atPath: name) {
            arguments.removeFirst()
            command = named
        }
        if let shell = Completions.shell(in: arguments) {
            Messages.write(Completions.script(for: shell) + "\n", to: 1)
            leave(with: .success)
        }
        do {
            try ArgumentList.rejectShortOptions(in: arguments)
            if command == Options.self, ArgumentList.asksForHelp(arguments) {
                Messages.write(ShortHelp.text, to: 1)
                leave(with: .success)
            }
            if command == Options.self { arguments = try ConfigFile.expand(arguments) }
            start(try command.parse(try ArgumentList.expandShuffle(in: ArgumentList.showAllHelp(in: arguments))))
        } catch {
            leave(command, error)
        }
    }

    private static let subcommands: [String: any HostCommand.Type] = [
        CheckLog.name: CheckLog.self, Probe.name: Probe.self,
    ]

    @MainActor
    private static func start(_ command: any HostCommand) -> Never {
        let run: @MainActor () -> Void = {
            _ = Task {
                do { leave(with: try await command.run()) } catch { leave(type(of: command), error) }
            }
        }
        if command.opensWindow { Window.runMainLoop(run) } else { run() }
        // The last window is closed, or there is none. The command ends the process.
        dispatchMain()
    }

    private static func leave(_ command: any HostCommand.Type, _ error: any Error) -> Never {
        let isUsage = command.exitCode(for: error) != .success
        var message = command.fullMessage(for: error)
        // The parser knows a subcommand by its own name only.
        for name in subcommands.keys { message.replace("See '\(name) ", with: "See 'flowplay \(name) ") }
        // A subcommand `help` would be in the way of a file of this name.
        message.replace("See 'flowplay help <subcommand>' for", with: "See 'flowplay <subcommand> --help' for")
        Messages.write(message + "\n", to: isUsage ? 2 : 1)
        leave(with: isUsage ? .usage : .success)
    }

    private static func leave(with status: ExitCode) -> Never {
        var status = status
        if let reason = Messages.outputError.withLock(\.self), status == .success {
            Messages.print("cannot write to standard output: \(reason)")
            status = .itemFailed
        }
        fflush(nil)
        // `_exit` skips the exit handlers, since they free objects that threads of the engine may still use.
        _exit(status.rawValue)
    }
}

/// A command that `flowplay` runs.
protocol HostCommand: ParsableCommand {
    /// `true` if the command opens a window of GTK.
    @MainActor var opensWindow: Bool { get }
    @MainActor func run() async throws -> ExitCode
}

extension HostCommand {
    var opensWindow: Bool { false }
}

extension ExitCode {
    static let faultInLog = Self(1)
    static let usage = Self(2)
    static let unreadable = Self(2)
    static let itemFailed = Self(3)

    /// The status of a process that a signal ended, as shells report it.
    static func signal(_ number: Int32) -> Self { Self(128 + number) }
}
