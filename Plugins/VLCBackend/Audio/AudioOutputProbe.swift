#if VLC
import FlyingSocks
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
        let reason: String?
        switch output {
        case .auto where hasPulse, .pulse where hasPulse: (module, reason) = ("pulse", nil)
        case .auto where hasALSA, .alsa where hasALSA: (module, reason) = ("alsa", nil)
        case .auto: (module, reason) = (Self.silence, "There is no audio device")
        case .none: (module, reason) = (Self.silence, nil)
        case .pulse: (module, reason) = (Self.silence, "No PulseAudio server answers")
        case .alsa: (module, reason) = (Self.silence, "ALSA has no card to play on")
        }
        notice = reason.map { reason in
            PlaybackNotice(code: "noSoundDevice", message: "\(reason). Playback runs on the clock, without audio.")
        }
    }

    private static func pulseAnswers(_ environment: [String: String]) -> Bool {
        if let server = environment["PULSE_SERVER"], !server.isEmpty {
            // A list of addresses, each with an optional machine, as in `pulse-client.conf`.
            return server.split(separator: " ").contains { entry in
                let address = entry.hasPrefix("{") ? entry.drop { $0 != "}" }.dropFirst() : entry
                let path = address.trimmingPrefix("unix:")
                // Any other address is that of a server in the network.
                return path.hasPrefix("/") ? accepts(String(path)) : true
            }
        }
        let runtime = environment["PULSE_RUNTIME_PATH"] ?? environment["XDG_RUNTIME_DIR"].map { $0 + "/pulse" }
        return accepts((runtime ?? "/run/user/\(getuid())/pulse") + "/native")
    }

    private static func accepts(_ path: String) -> Bool {
        guard let socket = try? Socket(domain: AF_UNIX) else { return false }
        defer { try? socket.close() }
        return (try? socket.setFlags(.nonBlocking)) != nil && (try? socket.connect(to: .unix(path: path))) != nil
    }
}
#endif
