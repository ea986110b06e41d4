#if VLC
import CVLC
import Foundation
import Playback

/// Receives libVLC's events and log lines for one player, on libVLC's threads.
final class VLCEventObserver: Sendable {
    private let log: VLCLogRouter
    private let receive: @Sendable (VLCEvent, Duration) -> Void

    init(log: VLCLogRouter, receive: @escaping @Sendable (VLCEvent, Duration) -> Void) {
        self.log = log
        self.receive = receive
    }

    /// All events of a player and of an item. `VLCEvent` ignores those that nothing needs.
    private static let playerTypes = libvlc_MediaPlayerOpening.rawValue...libvlc_MediaPlayerAudioDevice.rawValue
    private static let mediaTypes = libvlc_MediaMetaChanged.rawValue...libvlc_MediaParsedChanged.rawValue

    func attach(to player: OpaquePointer, playing media: OpaquePointer) {
        log.add(self)
        forEachType(of: player, media) { manager, type, context in
            libvlc_event_attach(manager, type, Self.callback, context)
        }
    }

    /// Returns when no callback is running. Lines of the log may follow, until `endLog`.
    func detach(from player: OpaquePointer, playing media: OpaquePointer) {
        forEachType(of: player, media) { manager, type, context in
            libvlc_event_detach(manager, type, Self.callback, context)
        }
    }

    /// The player has stopped, so its threads have ended.
    func endLog() { log.remove(self) }

    private func forEachType(
        of player: OpaquePointer, _ media: OpaquePointer,
        _ body: (OpaquePointer?, libvlc_event_type_t, UnsafeMutableRawPointer) -> Void
    ) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let sources = [
            (libvlc_media_player_event_manager(player), Self.playerTypes),
            (libvlc_media_event_manager(media), Self.mediaTypes),
        ]
        for (manager, types) in sources {
            for type in types { body(manager, libvlc_event_type_t(type), context) }
        }
    }

    private static let callback: libvlc_callback_t = { event, context in
        guard let event, let context else { return }
        Unmanaged<VLCEventObserver>.fromOpaque(context).takeUnretainedValue().relay(event.pointee)
    }

    private func relay(_ event: libvlc_event_t) {
        if event.type == libvlc_MediaPlayerOpening.rawValue { return log.claimThread(for: self) }
        if let event = VLCEvent(event) { send(event) }
    }

    func send(_ event: VLCEvent) { receive(event, ContinuousClock().hostTime) }
}

extension VLCEvent {
    fileprivate init?(_ event: libvlc_event_t) {
        switch libvlc_event_e(UInt32(event.type)) {
        case libvlc_MediaPlayerPlaying: self = .playing
        case libvlc_MediaPlayerPaused: self = .paused
        case libvlc_MediaPlayerBuffering: self = .buffering(Double(event.u.media_player_buffering.new_cache))
        case libvlc_MediaPlayerLengthChanged: self = .lengthChanged(event.u.media_player_length_changed.new_length)
        case libvlc_MediaPlayerSeekableChanged:
            self = .seekableChanged(event.u.media_player_seekable_changed.new_seekable != 0)
        case libvlc_MediaPlayerESAdded:
            let stream = event.u.media_player_es_changed
            self = .streamAdded(Int(stream.i_id), StreamKind(stream.i_type))
        case libvlc_MediaPlayerESDeleted: self = .streamRemoved(Int(event.u.media_player_es_changed.i_id))
        case libvlc_MediaPlayerESSelected:
            // −1 means that a stream of this kind was deselected. It can arrive after the selection of the next one.
            let stream = event.u.media_player_es_changed
            guard stream.i_id >= 0 else { return nil }
            self = .streamSelected(Int(stream.i_id), StreamKind(stream.i_type))
        case libvlc_MediaPlayerTimeChanged: self = .timeChanged(event.u.media_player_time_changed.new_time)
        case libvlc_MediaPlayerVout: self = .videoOutputs(Int(event.u.media_player_vout.new_count))
        case libvlc_MediaPlayerCorked: self = .audio(.corked)
        case libvlc_MediaPlayerUncorked: self = .audio(.uncorked)
        case libvlc_MediaPlayerMuted: self = .audio(.muted)
        case libvlc_MediaPlayerUnmuted: self = .audio(.unmuted)
        case libvlc_MediaPlayerAudioDevice:
            guard let device = event.u.media_player_audio_device.device else { return nil }
            self = .audioDevice(String(cString: device))
        case libvlc_MediaPlayerEndReached: self = .endReached
        case libvlc_MediaPlayerEncounteredError: self = .encounteredError
        case libvlc_MediaMetaChanged, libvlc_MediaParsedChanged: self = .metadataChanged
        default: return nil
        }
    }
}

extension VLCEvent.StreamKind {
    init(_ type: libvlc_track_type_t) {
        switch type {
        case libvlc_track_audio: self = .audio
        case libvlc_track_video: self = .video
        case libvlc_track_text: self = .subtitle
        default: self = .other
        }
    }
}
#endif
