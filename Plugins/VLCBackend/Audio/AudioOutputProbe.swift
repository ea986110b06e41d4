#if VLC
import Foundation
import Playback

/// Finds the available audio output of this machine, without opening a device.
struct AudioOutputProbe {
    /// The name of libVLC's module.
    let module: String
    /// Explains the choice; `nil` if it is the requested one.
    let notice: PlaybackNotice?

    private static let silence = "adummy"

    init(
        _ output: AudioOutput,
        environment: @autoclosure () -> [String: String] = ProcessInfo.processInfo.environment,
        soundDevices: String = "/dev/snd"
    ) {
        var hasPulse: Bool { Self.pulseAnswers(environment()) }
        var hasALSA: Bool {
            (try? FileManager.default.contentsOfDirectory(atPath: soundDevices))?
                .contains { $0.hasPrefix("pcm") && $0.hasSuffix("p") } ?? false
        }
        switch output {
        case .auto where hasPulse: self.init(module: "pulse")
        case .auto where hasALSA: self.init(module: "alsa")
        case .auto: self.init(silentBecause: "There is no audio device")
        case .none: self.init(module: Self.silence)
        case .pulse where hasPulse: self.init(module: "pulse")
        case .pulse: self.init(silentBecause: "No PulseAudio server answers")
        case .alsa where hasALSA: self.init(module: "alsa")
        case .alsa: self.init(silentBecause: "ALSA has no card to play on")
        }
    }

    private init(module: String, notice: PlaybackNotice? = nil) {
        self.module = module
        self.notice = notice
    }

    private init(silentBecause reason: String) {
        let notice = PlaybackNotice(
            code: "noSoundDevice", message: "\(reason). Playback runs on the clock, without audio.")
        self.init(module: Self.silence, notice: notice)
    }

    private static func pulseAnswers(_ environment: [String: String]) -> Bool {
        if let server = environment["PULSE_SERVER"], !server.isEmpty {
            // A list of addresses, each with an optional machine, as in `pulse-client.conf`.
            return server.split(separator: " ").contains { entry in
                let address = entry.hasPrefix("{") ? entry.drop { $0 != "}" }.dropFirst() : entry
                return socketPath(in: String(address)).map(accepts) ?? true
            }
        }
        let runtime = environment["PULSE_RUNTIME_PATH"] ?? environment["XDG_RUNTIME_DIR"].map { $0 + "/pulse" }
        return accepts((runtime ?? "/run/user/\(getuid())/pulse") + "/native")
    }

    /// The socket of a local server; `nil` for a server in the network.
    private static func socketPath(in server: String) -> String? {
        if server.hasPrefix("unix:") { return String(server.dropFirst("unix:".count)) }
        return server.hasPrefix("/") ? server : nil
    }

    private static func accepts(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < capacity else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
#endif
