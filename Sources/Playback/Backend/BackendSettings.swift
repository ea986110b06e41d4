/// The settings of a backend, for all its items.
package struct BackendSettings: Sendable {
    package var rate = 1.0
    package var volume = 1.0
    package var isMuted = false
    package var subtitleDelay = 0.0
    package var showsVideo = true
    package var role: AudioRole?
    package var videoOutput = VideoOutput.none

    package init() {}

    /// The sink for frames; `nil` if there is none or the video is not visible.
    package var sink: (any VideoFrameSink)? {
        if showsVideo, case .frames(let sink) = videoOutput { sink } else { nil }
    }

    package var opensWindow: Bool { isWindow && Display.isAvailable() }

    /// `true` if the video needs a display that is not there.
    package var lacksDisplay: Bool { isWindow && !Display.isAvailable() }

    private var isWindow: Bool { if case .window = videoOutput { true } else { false } }

    package mutating func apply(_ command: BackendCommand) {
        switch command {
        case .setRate(let rate): self.rate = rate
        case .setVolume(let volume): self.volume = volume
        case .setVideoVisible(let isShown): showsVideo = isShown
        case .setMuted(let isMuted): self.isMuted = isMuted
        case .setRole(let role): self.role = role
        case .setSubtitleDelay(let delay): subtitleDelay = delay
        default: break
        }
    }

    /// The commands for a new engine, which begins with the default settings.
    package var commands: [BackendCommand] {
        let initial = BackendSettings()
        let commands: [BackendCommand?] = [
            rate == initial.rate ? nil : .setRate(rate),
            volume == initial.volume ? nil : .setVolume(volume),
            showsVideo == initial.showsVideo ? nil : .setVideoVisible(showsVideo),
            isMuted == initial.isMuted ? nil : .setMuted(isMuted),
            role == initial.role ? nil : .setRole(role),
            subtitleDelay == initial.subtitleDelay ? nil : .setSubtitleDelay(subtitleDelay),
        ]
        return commands.compactMap(\.self)
    }
}
