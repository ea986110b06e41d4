#if GTK
import Foundation
import TestSupport

extension GTKDesktop {
    /// Starts the test program, and waits until it plays in its window.
    ///
    /// - Parameters:
    ///   - option: an option of the test program, or `dark`, `rtl` or `large` for such a desktop.
    ///   - paused: `true` to wait until it has played and is paused. A paused player keeps its controls visible, and its item does not
    ///     end before a test on a busy machine has found them.
    func play(_ url: URL, _ option: String = "", paused: Bool = false) async throws -> (RunningCommand, Window) {
        let address = url.isFileURL ? url.path(percentEncoded: false) : url.absoluteString
        let program = try await command(built: "gtk-program", ["play", address, option, paused ? "paused" : ""]).start()
        let isPlaying = try await eventually {
            let isVisible = try await self.window(titled: url.lastPathComponent) != nil
            return try program.lines(paused ? "state pause" : "state play") > 0 && isVisible
        }
        guard isPlaying, let window = try await window(titled: url.lastPathComponent) else {
            program.signal(SIGKILL)
            throw FixtureError(description: "the program does not play: \(try await program.result)")
        }
        return (program, window)
    }

    /// Returns the place of a control on the screen.
    func place(of name: String, in window: Window) async throws -> Place {
        let numbers = try await accessible("place", name).split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 4 else { throw FixtureError(description: "\(name) has no place") }
        return Place(
            x: Double(window.x) + numbers[0], y: Double(window.y) + numbers[1], width: numbers[2], height: numbers[3])
    }

    struct Place {
        let x, y, width, height: Double

        /// The horizontal place of a fraction of the width.
        func x(at fraction: Double) -> Int { Int(x + width * fraction) }

        var middle: Int { Int(y + height / 2) }
    }

    /// Moves the pointer as a hand does, in steps.
    func point(to x: Int, _ y: Int) async throws {
        for step in [9, 6, 3, 0] { try await run("xdotool", ["mousemove", "\(x + step)", "\(y)"]) }
    }
}

extension RunningCommand {
    /// The last lines of the output until now, and the system call in which the main thread waits, for messages.
    var printed: String {
        let call = URL(filePath: "/proc/\(processIdentifier)/syscall")
        let lines = ((try? outputSoFar) ?? "").split(separator: "\n").suffix(10)
        return lines.joined(separator: ", ") + "; system call "
            + ((try? String(contentsOf: call, encoding: .utf8)) ?? "none")
    }

    /// The number of printed lines that begin with a text.
    func lines(_ text: String) throws -> Int { try outputSoFar.split(separator: "\n").count { $0.hasPrefix(text) } }
}
#endif
