import Playback
import TestSupport
import Testing

@Suite struct DisplayTests {
    private func isAvailable(_ variables: [String: String]) -> Bool { Display.isAvailable { variables[$0] } }

    @Test func aServerThatListensIsADisplay() async throws {
        let screen = try await VirtualScreen()
        let number = screen.display.drop { $0 == ":" }
        for name in [":\(number)", ":\(number).0", "unix:\(number)"] { #expect(isAvailable(["DISPLAY": name])) }
        let socket = "/tmp/.X11-unix/X\(number)"
        #expect(isAvailable(["WAYLAND_DISPLAY": socket]))
        #expect(isAvailable(["WAYLAND_DISPLAY": "X\(number)", "XDG_RUNTIME_DIR": "/tmp/.X11-unix"]))
    }

    @Test(arguments: [
        [:], ["DISPLAY": "", "WAYLAND_DISPLAY": ""], ["DISPLAY": ":9999"], ["DISPLAY": ":99999"], ["DISPLAY": "x"],
        ["WAYLAND_DISPLAY": "wayland-0"], ["WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/no/such/folder"],
        ["WAYLAND_DISPLAY": "/" + String(repeating: "x", count: 200)],
    ])
    func noServerIsNoDisplay(variables: [String: String]) { #expect(!isAvailable(variables)) }

    @Test func aServerOnAnotherMachineIsNotAsked() { #expect(isAvailable(["DISPLAY": "kiosk.example:0"])) }
}
