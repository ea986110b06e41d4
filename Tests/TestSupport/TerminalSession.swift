import Foundation

/// A shell, or another program, in its own terminal under tmux.
public final class TerminalSession: Sendable {
    private let socket = FileManager.default.temporaryDirectory.appending(path: "flowplayer-tmux-\(UUID().uuidString)")
        .path()

    public init(
        columns: Int = 100, rows: Int = 30, shell: [String] = ["bash", "--norc", "--noprofile"],
        greeting: String = "ready>"
    ) async throws {
        let command = ["env", "PS1=ready> ", "HISTFILE=/dev/null"] + shell
        // The screen of a program that has ended stays.
        try await tmux(
            ["start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";", "new-session", "-d"]
                + ["-x", "\(columns)", "-y", "\(rows)"] + command)
        guard try await shows(greeting) else { throw FixtureError(description: "the shell does not start") }
    }

    deinit {
        let socket = socket
        Task {
            _ = try await Command("tmux", ["-S", socket, "kill-server"]).run()
            try? FileManager.default.removeItem(atPath: socket)
        }
    }

    /// Types text as it is.
    public func type(_ text: String) async throws { try await tmux(["send-keys", "-l", text]) }

    /// Presses a key by tmux's name for it.
    public func press(_ key: String) async throws { try await tmux(["send-keys", key]) }

    /// Types a line and the return key.
    public func enter(_ line: String) async throws {
        try await type(line)
        try await press("Enter")
    }

    /// The contents of the screen.
    public var screen: String {
        get async throws { try await tmux(["capture-pane", "-p"]) }
    }

    /// The contents of the screen, with the escape sequences of its colours.
    public var colouredScreen: String {
        get async throws { try await tmux(["capture-pane", "-p", "-e", "-N"]) }
    }

    /// The device of the terminal.
    public var device: String {
        get async throws { try await value("#{pane_tty}") }
    }

    /// Returns the value of a format of tmux, such as `#{alternate_on}`.
    public func value(_ format: String) async throws -> String {
        try await tmux(["display-message", "-p", format]).trimmingCharacters(in: .newlines)
    }

    /// Changes the size of the terminal.
    public func resize(columns: Int, rows: Int) async throws {
        try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Writes everything that the programs in the terminal write to a file, too.
    public func record(to file: String) async throws { try await tmux(["pipe-pane", "exec cat > '\(file)'"]) }

    /// Waits until a text is to be seen. Throws an error if the program has ended.
    public func shows(_ text: String, within bound: Duration = .longestWait) async throws -> Bool {
        try await eventually(within: bound) {
            let screen = try await screen
            if screen.contains(text) { return true }
            if screen.contains("Pane is dead") {
                throw FixtureError(description: "The program ended before it showed \(text):\n\(screen)")
            }
            return false
        }
    }

    /// Closes the terminal, as a user does who closes its window.
    public func close() async throws { try await tmux(["kill-server"]) }

    @discardableResult
    private func tmux(_ arguments: [String]) async throws -> String {
        let result = try await Command("tmux", ["-S", socket] + arguments).run()
        guard result.status == 0 else { throw FixtureError(description: "tmux failed: \(result.errors)") }
        return result.output
    }
}
