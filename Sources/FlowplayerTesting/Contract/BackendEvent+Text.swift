import Playback

extension BackendEvent {
    /// The event as one line: its generation, its name and its values.
    var text: String { "\(generation.rawValue) \(body.text)" }
}

extension BackendEvent.Body {
    /// The event as one line: its name and its values.
    var text: String {
        switch self {
        case .prepared: "prepared"
        case .opened(let media):
            "opened at \(media.position.text) duration=\(media.duration?.text ?? "none") \(media.tracks.text)"
        case .durationChanged(let duration): "durationChanged \(duration.text)"
        case .seekabilityChanged(let isSeekable): "seekabilityChanged \(isSeekable)"
        case .tracksChanged(let tracks): "tracksChanged \(tracks.text)"
        case .audioSelected(let id): "audioSelected \(id.map { String($0) } ?? "none")"
        case .subtitleSelected(let id): "subtitleSelected \(id.map { String($0) } ?? "none")"
        case .videoSizeChanged(let size): "videoSizeChanged \(size.map { "\($0.width)x\($0.height)" } ?? "none")"
        case .buffered(let level): "buffered \(level.percentage.text)"
        case .dvrWindowChanged(let window):
            "dvrWindowChanged \(window.map { "\($0.start.text)...\($0.end.text)" } ?? "none")"
        case .metadataChanged(let metadata): "metadataChanged \(metadata.text)"
        case .playing(let position): "playing \(position.text)"
        case .paused(let position): "paused \(position.text)"
        case .stalled(let position): "stalled \(position.text)"
        case .time(let position): "time \(position.text)"
        case .addressRefused(let error): "addressRefused \(error.text)"
        case .seeked(let position): "seeked \(position.text)"
        case .seekFailed(let position): "seekFailed \(position.text)"
        case .interruptionBegan: "interruptionBegan"
        case .interruptionEnded(let shouldResume): "interruptionEnded \(shouldResume ? "resume" : "stay")"
        case .routeChanged(let change): "routeChanged \(change.reason.rawValue)"
        case .notice(let notice): "notice \(notice.code)"
        case .ended(let position): "ended \(position.text)"
        case .failed(let error, let position): "failed \(error.text) at \(position.text)"
        case .closed: "closed"
        }
    }

    /// `true` for the last event of a generation.
    var isTerminal: Bool {
        switch self {
        case .ended, .failed, .closed: true
        default: false
        }
    }

    /// Where the playhead is said to run, in seconds; `nil` for events that do not say that it runs.
    var runningPosition: Double? {
        switch self {
        case .playing(let position), .time(let position): position
        default: nil
        }
    }
}

extension BackendCommand {
    /// The command as one line: its name and its values.
    var text: String {
        switch self {
        case .open(let request):
            "open \(request.generation.rawValue) \(request.url.redacted) at \(request.startPosition.text)"
                + (request.playsWhenReady ? " playing" : " waiting")
        case .prepare(let request, let crossfade):
            "prepare \(request.generation.rawValue) \(request.url.redacted) crossfade \(crossfade.text)"
        case .play(let generation): "play \(generation.rawValue)"
        case .pause(let generation): "pause \(generation.rawValue)"
        case .seek(let generation, let target): "seek \(generation.rawValue) to \(target.text)"
        case .selectAudio(let generation, let id): "selectAudio \(generation.rawValue) id \(id)"
        case .selectSubtitle(let generation, let id):
            "selectSubtitle \(generation.rawValue) id \(id.map { String($0) } ?? "none")"
        case .readdress(let generation, let url): "readdress \(generation.rawValue) to \(url?.redacted ?? "nothing")"
        case .close(let generation): "close \(generation.rawValue)"
        case .setRate(let rate): "setRate \(rate.text)"
        case .setVolume(let volume): "setVolume \(volume.text)"
        case .setPicture(let isShown): "setPicture \(isShown ? "shown" : "hidden")"
        case .setMuted(let isMuted): "setMuted \(isMuted)"
        case .setRole(let role): "setRole \(role?.rawValue ?? "none")"
        }
    }
}
