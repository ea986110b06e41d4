import Foundation
import Playback

extension PlayerEvent {
    /// The event as one line of text that is stable from version to version: its name and its values.
    ///
    /// Seconds, rates and volumes have three places at most. Errors and warnings are given by their codes. Addresses
    /// have no credentials and no query.
    public var text: String {
        switch self {
        case .media(let url): "media \(url?.redacted ?? "unknown yet")"
        case .item(let transition): "item \(transition.index) \(transition.reason.rawValue)"
        case .resolved(let url): "resolved \(url.redacted)"
        case .playbackType(let type): "playbackType \(type.rawValue)"
        case .duration(let duration): "duration \(duration.text)"
        case .dvrWindow(let window): "dvrWindow \(window.start.text)...\(window.end.text)"
        case .metadata(let metadata): "metadata \(metadata.text)"
        case .tracks(let tracks): "tracks \(tracks.text)"
        case .selectedAudio(let track): "selectedAudio \(track.map { String($0.id) } ?? "none")"
        case .selectedSubtitle(let track): "selectedSubtitle \(track.map { String($0.id) } ?? "none")"
        case .quality(let quality): "quality \(quality.rawValue)"
        case .rate(let rate): "rate \(rate.text)"
        case .volume(let volume): "volume \(volume.text)"
        case .mute(let isMuted): "mute \(isMuted)"
        case .seek(let state, let position): "seek \(state.rawValue) \(position.text)"
        case .buffer(let state): "buffer \(state.rawValue)"
        case .interruption(let interruption): "interruption \(interruption.rawValue)"
        case .route(let change): "route \(change.reason.rawValue)"
        case .log(let notice): "log \(notice.code)"
        case .position(let position): "position \(position.text)"
        case .error(let error): "error \(error.text)"
        case .state(let state): "state \(state.name)"
        case .playbackState(let state): "playbackState \(state.name)"
        case .missed(let count): "missed \(count)"
        }
    }
}

extension Double {
    /// With three places at most, and none that say nothing.
    var text: String {
        var text = String(format: "%.3f", self)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }
}

extension PlaybackError {
    var text: String {
        [code.name, httpStatus.map { String($0) }].compactMap(\.self).joined(separator: " ")
    }
}

extension MediaMetadata {
    var text: String {
        let fields = [("title", title), ("artist", artist), ("album", album), ("artwork", artworkURL?.redacted)]
        var parts = fields.compactMap { name, value in value.map { "\(name)=\"\($0)\"" } }
        parts += chapters.map { "chapter=\($0.start.text) \"\($0.title)\"" }
        return parts.joined(separator: " ")
    }
}

extension MediaTracks {
    var text: String {
        let sounds = audio.map { "\($0.id) \"\($0.name)\"\($0.lang.map { " " + $0 } ?? "")" }
        let texts = subtitles.map { "\($0.id) \"\($0.name)\"\($0.lang.map { " " + $0 } ?? "")" }
        let pictures = video.map { "\($0.id) \($0.width)x\($0.height)" }
        return [("audio", sounds), ("subtitles", texts), ("video", pictures)].map { kind, tracks in
            "\(kind)=[\(tracks.joined(separator: ", "))]"
        }.joined(separator: " ")
    }
}
