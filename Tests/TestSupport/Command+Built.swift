import Foundation

extension Command {
    /// A program of this package, built beside the tests. It has neither a display nor an audio device.
    public init(built name: String, _ arguments: [String]) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        self.init(URL(filePath: tests).deletingLastPathComponent().appending(path: name).path(), arguments)
        environment = ["PULSE_SERVER": "unix:/no/such/socket", "DISPLAY": "", "WAYLAND_DISPLAY": ""]
    }
}
