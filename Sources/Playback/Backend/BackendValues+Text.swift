// Commands and events as lines of a log. Addresses are redacted.
extension BackendEvent {
    /// The event as one line: its generation, its name and its values.
    package var text: String { "\(generation.rawValue) \(body.text)" }
}

extension BackendEvent.Body {
    /// The event as one line: its name and its values.
    package var text: String { [name, values].compactMap(\.self).joined(separator: " ") }

    /// The name of the case.
    package var name: String { caseName(of: self) }

    private var values: String? {
        switch self {
        case .prepared, .interruptionBegan, .closed: nil
        case .opened(let media):
            "at \(media.position.text) duration=\(media.duration?.text ?? "none") \(media.tracks.text)"
        case .playing, .paused, .stalled, .time, .seeked, .seekFailed, .ended: position?.text
        case .durationChanged(let duration): duration.text
        case .seekabilityChanged(let isSeekable): "\(isSeekable)"
        case .tracksChanged(let tracks): tracks.text
        case .audioSelected(let id), .subtitleSelected(let id): id.map { String($0) } ?? "none"
        case .videoSizeChanged(let size): size.map { "\($0.width)x\($0.height)" } ?? "none"
        case .buffered(let level): level.percentage.text
        case .qualitiesChanged(let qualities): qualities.map { "\($0.width)x\($0.height)" }.joined(separator: " ")
        case .bufferedRangesChanged(let ranges):
            "[\(ranges.map { "\($0.lowerBound.text)...\($0.upperBound.text)" }.joined(separator: " "))]"
        case .markersChanged(let markers): "\(markers.count)"
        case .dvrWindowChanged(let window): window.map { "\($0.start.text)...\($0.end.text)" } ?? "none"
        case .metadataChanged(let metadata): metadata.text
        case .addressRefused(let error): error.text
        case .interruptionEnded(let shouldResume): shouldResume ? "resume" : "stay"
        case .routeChanged(let change): change.reason.rawValue
        case .statistics(let report): "\(report.bytesReceived) bytes"
        case .capabilitiesChanged(let capabilities):
            capabilities.features.map(\.rawValue).sorted().joined(separator: " ")
        case .notice(let notice): notice.code
        case .failed(let error, let position): "\(error.text) at \(position.text)"
        }
    }

    /// `true` for the last event of a generation.
    package var isTerminal: Bool {
        switch self {
        case .ended, .failed, .closed: true
        default: false
        }
    }

    /// The position that the event reports, in seconds.
    package var position: Double? {
        switch self {
        case .playing(let position), .paused(let position), .stalled(let position), .time(let position),
            .seeked(let position), .seekFailed(let position), .ended(let position), .failed(_, let position):
            position
        default: nil
        }
    }

    /// The position of the running playhead, in seconds; `nil` for events that do not say that it runs.
    package var runningPosition: Double? {
        switch self {
        case .playing(let position), .time(let position): position
        default: nil
        }
    }
}

extension BackendCommand {
    /// The command as one line: its name and its values.
    package var text: String { "\(name) \(values)" }

    /// The name of the case.
    package var name: String { caseName(of: self) }

    private var values: String {
        switch self {
        case .open(let request):
            "\(request.generation.rawValue) \(request.url.redacted) at \(request.startPosition.text)"
                + (request.playsWhenReady ? " playing" : " waiting")
        case .prepare(let request, let crossfade):
            "\(request.generation.rawValue) \(request.url.redacted) crossfade \(crossfade.text)"
        case .play(let generation), .pause(let generation), .close(let generation): "\(generation.rawValue)"
        case .seek(let generation, let target, let tolerance):
            "\(generation.rawValue) to \(target.text)\(tolerance == .exact ? "" : " by keyframe")"
        case .selectAudio(let generation, let id): "\(generation.rawValue) id \(id)"
        case .selectSubtitle(let generation, let id): "\(generation.rawValue) id \(id.map { String($0) } ?? "none")"
        case .selectQuality(let generation, let quality):
            "\(generation.rawValue) id \(quality.map { String($0.id) } ?? "none")"
        case .readdress(let generation, let url): "\(generation.rawValue) to \(url?.redacted ?? "nothing")"
        case .setRate(let value), .setVolume(let value), .setSubtitleDelay(let value): value.text
        case .setVideoVisible(let isShown): isShown ? "shown" : "hidden"
        case .setMuted(let isMuted): "\(isMuted)"
        case .setRole(let role): role?.rawValue ?? "none"
        }
    }
}

/// The name of an enumeration's case, without its values.
private func caseName<Value>(of value: Value) -> String { String("\(value)".prefix { $0 != "(" }) }
