#if VLC
import MediaTransport
import AudioMixer
import CVLC
import Foundation
import Playback
import Synchronization

/// One libVLC player with one medium in it.
///
/// Made, used and dropped on the backend's worker. libVLC's callbacks come on its own threads, and do no more than
/// copy what they are told and send it to the worker.
final class VLCPlayer {
    enum Sound {
        /// One of libVLC's modules.
        case module(String)
        /// A mixer, which must not take any more from the source when the deck is gone.
        case source(MixerInputQueue, PulseMixer)
    }

    struct Settings {
        var startPosition: Double
        var startsPaused: Bool
        var rate: Double
        var volume: Double
        var isMuted: Bool
        var role: AudioRole?
        var sound: Sound
        var video: Video
        /// Further options of the medium, without their colon.
        var options: [String]
        /// Where the medium's bytes come from; `nil` if libVLC is to open its address.
        var bytes: MediaBytes?
        /// By which libVLC gets at what a playlist names.
        var lane: HLSProxySession?
    }

    enum Video {
        case none
        case window
        case frames(VLCFrameReceiver)
    }

    /// Decoders that lose nothing: libVLC's first choice for AAC leaves out a packet at the start.
    private static let wholeDecoders = "mpg123,flac,vorbis,opus,dav1d,avcodec"
    private static let lastID = Atomic(0)
    /// What libVLC calls a medium that it reads through us.
    private static let namelessTitle = "imem://"
    /// In seconds: no medium lasts longer, and libVLC counts in 64 bits of microseconds.
    private static let latest = 1e12

    private let player: OpaquePointer
    private let media: OpaquePointer
    private let instance: VLCInstance
    private let relay: VLCEventObserver
    private let settings: Settings
    /// libVLC reads through it as long as there is the medium.
    private let bytes: VLCByteSource?

    /// `nil` if libVLC refuses; it does for want of memory only.
    ///
    /// - Parameter receive: called on the worker with each signal and the time it came at.
    init?(
        instance: VLCInstance, url: URL, settings: Settings, worker: WatchdogQueue,
        receive: @escaping @Sendable (VLCEvent, Duration) -> Void
    ) {
        let bytes = settings.bytes.map(VLCByteSource.init)
        let media =
            bytes.map { $0.makeMedia(instance.pointer) }
            ?? (url.isFileURL
                ? libvlc_media_new_path(instance.pointer, url.path(percentEncoded: false))
                : libvlc_media_new_location(instance.pointer, url.absoluteString))
        guard let media else { return nil }
        self.bytes = bytes
        guard let player = libvlc_media_player_new_from_media(media) else {
            libvlc_media_release(media)
            return nil
        }
        self.instance = instance
        self.media = media
        self.player = player
        self.settings = settings
        let id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        relay = VLCEventObserver(id: id, log: instance.log, worker: worker, receive: receive)
        configure()
        relay.attach(to: player, playing: media)
    }

    deinit {
        // Silence comes first; stopping takes longer.
        if case .source(let source, _) = settings.sound { source.setPaused(true) }
        bytes?.cancel()
        settings.lane?.close()
        // Nobody is told any more; what is still on its way to the worker finds no item there.
        relay.detach(from: player, playing: media)
        libvlc_media_player_stop(player)
        libvlc_media_player_release(player)
        libvlc_media_release(media)
        if case .source(let source, let mixer) = settings.sound { mixer.remove(source) }
        ProcessMemory.trimSoon()
    }

    private func configure() {
        if let role = settings.role { setRole(role) }
        addOption("avcodec-hw=none")
        // What lies beside a medium by chance is not part of it.
        addOption("no-sub-autodetect-file")
        for option in settings.options { addOption(option) }
        if settings.startPosition > 0 { addOption("start-time=\(settings.startPosition)") }
        if settings.startsPaused { addOption("start-paused") }
        switch settings.video {
        case .none: addOption("no-video")
        case .window: break
        case .frames(let receiver): receiver.attach(to: player)
        }
        switch settings.sound {
        case .module(let module): libvlc_audio_output_set(player, module)
        case .source(let source, _):
            addOption("codec=\(Self.wholeDecoders)")
            source.attach(to: player)
        }
        setRate(settings.rate)
        setVolume(settings.volume)
        setMuted(settings.isMuted)
    }

    /// What libVLC knows no name for keeps the one that it gives by itself.
    private func setRole(_ role: AudioRole) {
        guard let role = Self.roles[role] else { return }
        libvlc_media_player_set_role(player, role.rawValue)
    }

    private static let roles: [AudioRole: libvlc_media_player_role] = [
        .music: libvlc_role_Music, .video: libvlc_role_Video, .phone: libvlc_role_Communication,
        .game: libvlc_role_Game, .event: libvlc_role_Notification, .animation: libvlc_role_Animation,
        .production: libvlc_role_Production, .accessibility: libvlc_role_Accessibility, .test: libvlc_role_Test,
    ]

    private func addOption(_ option: String) { libvlc_media_add_option(media, ":" + option) }

    func play() { libvlc_media_player_play(player) }

    func setPaused(_ isPaused: Bool) {
        source?.setPaused(isPaused)
        libvlc_media_player_set_pause(player, isPaused ? 1 : 0)
    }

    /// Holds the player, while what it has handed out goes on being heard.
    func setClockHeld(_ isHeld: Bool) { libvlc_media_player_set_pause(player, isHeld ? 1 : 0) }

    var lane: HLSProxySession? { settings.lane }

    /// Where its sound goes; `nil` if that is libVLC's affair.
    var source: MixerInputQueue? { if case .source(let source, _) = settings.sound { source } else { nil } }

    /// A live stream often cannot: libVLC would stop it.
    var canPause: Bool { libvlc_media_player_can_pause(player) != 0 }

    /// - Parameter position: in seconds.
    func seek(to position: Double) {
        source?.prepareForSeek()
        libvlc_media_player_set_time(player, Int64((min(position, Self.latest) * 1000).rounded()))
    }

    /// - Parameter fraction: of the window of a live stream: the one way of naming a place in it that libVLC always understands.
    func seek(toFraction fraction: Double) {
        source?.prepareForSeek()
        libvlc_media_player_set_position(player, Float(fraction))
    }

    func selectAudio(_ stream: Int) { libvlc_audio_set_track(player, Int32(stream)) }

    /// - Parameter stream: `nil` to decode no picture.
    func selectVideo(_ stream: Int?) { libvlc_video_set_track(player, Int32(stream ?? -1)) }

    /// - Parameter stream: `nil` to show no text.
    func selectSubtitle(_ stream: Int?) { libvlc_video_set_spu(player, Int32(stream ?? -1)) }

    /// Adds a local file with texts as a stream of its own, which is announced but not shown.
    func addSubtitles(_ file: URL) {
        libvlc_media_player_add_slave(player, libvlc_media_slave_type_subtitle, file.absoluteString, false)
    }

    func setRate(_ rate: Double) { libvlc_media_player_set_rate(player, Float(rate)) }

    func setVolume(_ volume: Double) {
        if let source { return source.setVolume(volume) }
        libvlc_audio_set_volume(player, Int32((volume * 100).rounded()))
    }

    func setMuted(_ isMuted: Bool) {
        if let source { return source.setMuted(isMuted) }
        libvlc_audio_set_mute(player, isMuted ? 1 : 0)
    }

    var facts: VLCMediaInfo {
        let length = libvlc_media_player_get_length(player)
        return VLCMediaInfo(
            duration: length > 0 ? Double(length) / 1000 : nil,
            isSeekable: libvlc_media_player_is_seekable(player) != 0,
            time: Double(max(0, libvlc_media_player_get_time(player))) / 1000, streams: streams)
    }

    private var streams: [VLCTrack] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<libvlc_media_track_t>?>?
        let count = libvlc_media_tracks_get(media, &list)
        defer { libvlc_media_tracks_release(list, count) }
        return (0..<Int(count)).compactMap { list?[$0]?.pointee }.map(VLCTrack.init)
    }

    var metadata: MediaMetadata {
        var metadata = MediaMetadata(
            title: meta(libvlc_meta_Title), artist: meta(libvlc_meta_Artist), album: meta(libvlc_meta_Album),
            artworkURL: meta(libvlc_meta_ArtworkURL).flatMap { URL(string: $0) }, chapters: chapters)
        // Without a title libVLC gives the file's name, and for a picture that it cannot keep, no address.
        if metadata.title == fileName || bytes != nil && metadata.title == Self.namelessTitle {
            metadata.title = nil
        }
        if !["file", "http", "https"].contains(metadata.artworkURL?.scheme) { metadata.artworkURL = nil }
        return metadata
    }

    private var fileName: String? {
        libvlc_media_get_mrl(media).map { mrl in
            defer { libvlc_free(mrl) }
            let name = String(cString: mrl).split(separator: "/").last.map(String.init) ?? ""
            return name.removingPercentEncoding ?? name
        }
    }

    private func meta(_ field: libvlc_meta_t) -> String? {
        guard let text = libvlc_media_get_meta(media, field) else { return nil }
        defer { libvlc_free(text) }
        let value = String(cString: text).trimmingCharacters(in: .whitespacesAndNewlines)
        return value.isEmpty ? nil : value
    }

    private var chapters: [Chapter] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<libvlc_chapter_description_t>?>?
        let count = libvlc_media_player_get_full_chapter_descriptions(player, -1, &list)
        guard count > 0, let list else { return [] }
        defer { libvlc_chapter_descriptions_release(list, UInt32(count)) }
        return (0..<Int(count)).compactMap { list[$0]?.pointee }.enumerated().map { index, chapter in
            let name = chapter.psz_name.map { String(cString: $0).trimmingCharacters(in: .whitespaces) } ?? ""
            return Chapter(
                start: Double(chapter.i_time_offset) / 1000, title: name.isEmpty ? "Chapter \(index + 1)" : name)
        }
    }
}

extension VLCTrack {
    fileprivate init(_ track: libvlc_media_track_t) {
        id = Int(track.i_id)
        kind = VLCEvent.StreamKind(track.i_type)
        lang = track.psz_language.map { String(cString: $0) }.flatMap { $0 == "und" || $0.isEmpty ? nil : $0 }
        description = track.psz_description.map { String(cString: $0) }
        guard track.i_type == libvlc_track_video, let video = track.video else { return }
        width = Int(video.pointee.i_width)
        height = Int(video.pointee.i_height)
    }
}
#endif
