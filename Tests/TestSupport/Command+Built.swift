import Foundation

extension Command {
    /// A program of this package, built beside the tests. It has no display, no audio device, and no settings of a user.
    public init(built name: String, _ arguments: [String]) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        self.init(URL(filePath: tests).deletingLastPathComponent().appending(path: name).path(), arguments)
        environment = [
            "PULSE_SERVER": "unix:/no/such/socket", "DISPLAY": "", "WAYLAND_DISPLAY": "",
            "XDG_CONFIG_HOME": "/dev/null/none", "XDG_STATE_HOME": "/dev/null/none",
        ]
    }
}
