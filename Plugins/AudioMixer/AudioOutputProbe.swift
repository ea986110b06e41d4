#if VLC || GStreamer
import FlyingSocks
import Foundation
import Playback

/// Finds the available audio output of this machine, without opening a device.
package struct AudioOutputProbe {
    /// An available output.
    package enum Device {
        case pulse
        case alsa
        /// Playback runs on the clock.
        case none
    }

    package let device: Device
    /// Explains the choice; `nil` if it is the requested one.
    package let notice: PlaybackNotice?

    package init(
        _ output: AudioOutput,
        environment: @autoclosure () -> [String: String] = ProcessInfo.processInfo.environment,
        audioDevices: String = "/dev/snd"
    ) {
        var hasPulse: Bool { Self.pulseAnswers(environment()) }
        var hasALSA: Bool {
            (try? FileManager.default.contentsOfDirectory(atPath: audioDevices))?
                .contains { $0.hasPrefix("pcm") && $0.hasSuffix("p") } ?? false
        }
        let reason: String?
        switch output {
        case .auto where hasPulse, .pulse where hasPulse: (device, reason) = (.pulse, nil)
        case .auto where hasALSA, .alsa where hasALSA: (device, reason) = (.alsa, nil)
        case .auto: (device, reason) = (.none, "There is no audio device")
        case .none: (device, reason) = (.none, nil)
        case .pulse: (device, reason) = (.none, "No PulseAudio server answers")
        case .alsa: (device, reason) = (.none, "ALSA has no card to play on")
        }
        notice = reason.map { reason in
            PlaybackNotice(code: "noAudioDevice", message: "\(reason). Playback runs on the clock, without audio.")
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
