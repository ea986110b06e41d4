#if VLC
    import CVLC
    import Foundation
    import Playback
    import Synchronization

    /// One libVLC player with one medium in it.
    ///
    /// Made, used and dropped on the backend's worker. libVLC's callbacks come on its own threads, and do no more than
    /// copy what they are told and send it to the worker.
    final class VLCDeck {
        struct Settings {
            var startPosition: Double
            var startsPaused: Bool
            var rate: Double
            var volume: Double
            var isMuted: Bool
            var audioModule: String
            var video: Video
        }

        enum Video {
            case none
            case window
            case frames(VLCFrameReceiver)
        }

        private static let lastID = Atomic(0)

        private let player: OpaquePointer
        private let media: OpaquePointer
        private let instance: VLCInstance
        private let relay: VLCSignalRelay
        private let settings: Settings

        /// `nil` if libVLC refuses; it does for want of memory only.
        ///
        /// - Parameter receive: called on the worker with each signal and the time it came at.
        init?(
            instance: VLCInstance, url: URL, settings: Settings, worker: DispatchQueue,
            receive: @escaping @Sendable (VLCSignal, Duration) -> Void
        ) {
            let media =
                url.isFileURL
                ? libvlc_media_new_path(instance.pointer, url.path(percentEncoded: false))
                : libvlc_media_new_location(instance.pointer, url.absoluteString)
            guard let media else { return nil }
            guard let player = libvlc_media_player_new_from_media(media) else {
                libvlc_media_release(media)
                return nil
            }
            self.instance = instance
            self.media = media
            self.player = player
            self.settings = settings
            let id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
            relay = VLCSignalRelay(id: id, log: instance.log, worker: worker, receive: receive)
            configure()
            relay.attach(to: player)
        }

        deinit {
            // Nobody is told any more; what is still on its way to the worker finds no item there.
            relay.detach(from: player)
            libvlc_media_player_stop(player)
            libvlc_media_player_release(player)
            libvlc_media_release(media)
        }

        private func configure() {
            addOption("avcodec-hw=none")
            if settings.startPosition > 0 { addOption("start-time=\(settings.startPosition)") }
            if settings.startsPaused { addOption("start-paused") }
            switch settings.video {
            case .none: addOption("no-video")
            case .window: break
            case .frames(let receiver): receiver.attach(to: player)
            }
            libvlc_audio_output_set(player, settings.audioModule)
            setRate(settings.rate)
            setVolume(settings.volume)
            setMuted(settings.isMuted)
        }

        private func addOption(_ option: String) { libvlc_media_add_option(media, ":" + option) }

        func play() { libvlc_media_player_play(player) }

        func setPaused(_ isPaused: Bool) { libvlc_media_player_set_pause(player, isPaused ? 1 : 0) }

        /// A live stream often cannot: libVLC would stop it.
        var canPause: Bool { libvlc_media_player_can_pause(player) != 0 }

        func seek(to seconds: Double) { libvlc_media_player_set_time(player, Int64((seconds * 1000).rounded())) }

        func setRate(_ rate: Double) { libvlc_media_player_set_rate(player, Float(rate)) }

        func setVolume(_ volume: Double) { libvlc_audio_set_volume(player, Int32((volume * 100).rounded())) }

        func setMuted(_ isMuted: Bool) { libvlc_audio_set_mute(player, isMuted ? 1 : 0) }

        var facts: VLCFacts {
            let length = libvlc_media_player_get_length(player)
            return VLCFacts(
                duration: length > 0 ? Double(length) / 1000 : nil,
                isSeekable: libvlc_media_player_is_seekable(player) != 0, tracks: tracks)
        }

        var tracks: MediaTracks {
            var list: UnsafeMutablePointer<UnsafeMutablePointer<libvlc_media_track_t>?>?
            let count = libvlc_media_tracks_get(media, &list)
            defer { libvlc_media_tracks_release(list, count) }
            let tracks = (0..<Int(count)).compactMap { list?[$0]?.pointee }
            return MediaTracks(vlcTracks: tracks)
        }
    }

    extension MediaTracks {
        fileprivate init(vlcTracks: [libvlc_media_track_t]) {
            self.init()
            for track in vlcTracks {
                let id = Int(track.i_id)
                let lang = track.psz_language.map { String(cString: $0) }
                let description = track.psz_description.map { String(cString: $0) }
                switch track.i_type {
                case libvlc_track_audio:
                    audio.append(
                        AudioTrack(id: id, name: description ?? lang ?? "Track \(audio.count + 1)", lang: lang))
                case libvlc_track_text:
                    subtitles.append(
                        SubtitleTrack(id: id, name: description ?? lang ?? "Track \(subtitles.count + 1)", lang: lang))
                case libvlc_track_video:
                    let size = track.video.map { (Int($0.pointee.i_width), Int($0.pointee.i_height)) } ?? (0, 0)
                    video.append(VideoTrack(id: id, width: size.0, height: size.1))
                default: break
                }
            }
        }
    }
#endif
