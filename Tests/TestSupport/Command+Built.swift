import Foundation

extension Command {
    /// A program of this package, built beside the tests, with neither display nor sound device.
    public init(built name: String, _ arguments: [String]) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        self.init(URL(filePath: tests).deletingLastPathComponent().appending(path: name).path(), arguments)
        environment = ["PULSE_SERVER": "unix:/no/such/socket", "DISPLAY": "", "WAYLAND_DISPLAY": ""]
    }
}
