import Foundation
import TestSupport

/// The host as it was built beside these tests.
enum FlowplayCommand {
    static let path = built("flowplay")
    /// The server of `FlowplayerFaults`, built beside the host.
    static let server = built("faulty-server")

    private static func built(_ name: String) -> String {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path()
    }

    /// The environment of a machine without a display, an audio device and settings of a user.
    static let headless = [
        "PULSE_SERVER": "unix:/no/such/socket", "DISPLAY": "", "WAYLAND_DISPLAY": "",
        "XDG_CONFIG_HOME": "/dev/null/none", "XDG_STATE_HOME": "/dev/null/none",
    ]

    static func command(_ arguments: [String], in directory: URL? = nil) -> Command {
        var command = Command(path, arguments)
        command.environment = headless
        command.directory = directory
        return command
    }

    static func run(_ arguments: String..., in directory: URL? = nil) async throws -> Command.Result {
        try await command(arguments, in: directory).run()
    }

    /// Runs the host until it has printed something, and ends it by a signal.
    static func run(
        _ arguments: [String], in directory: URL? = nil, until hasPrinted: (RunningCommand) throws -> Bool
    ) async throws -> Command.Result {
        let host = try await command(arguments, in: directory).start()
        let isOver = try await eventually { try hasPrinted(host) }
        host.signal(SIGTERM)
        let result = try await host.result
        guard isOver else { throw FixtureError(description: "Not printed: \(result.output) \(result.errors)") }
        return result
    }

    static func runServer(_ arguments: String...) async throws -> Command.Result { try await runServer(arguments) }

    static func runServer(_ arguments: [String]) async throws -> Command.Result {
        try await Command(server, arguments).run()
    }
}
