#if VLC
import AudioMixer
import CVLC
import Foundation
import MediaTransport
import Playback

/// One libVLC player with one item in it.
///
/// It is created, used and closed on the engine's queue. libVLC's callbacks run on libVLC's threads: they copy their
/// arguments and return. `close` waits for these threads. After it, libVLC is not called again and no event follows.
final class VLCPlayer {
    enum Audio {
        /// One of libVLC's output modules.
        case module(String)
        case mixer(PulseMixer, MixerInputQueue)
    }

    enum Video {
        /// The video is not read. It cannot be selected later.
        case none
        case window
        /// Frames for the sink.
        case frames
    }

    struct Options {
        var startPosition: Double
        var startsPaused: Bool
        var settings: BackendSettings
        var audio: Audio
        var video: Video
        /// Further options of libVLC, without their colon.
        var mediaOptions: [String]
        /// The source of the bytes; `nil` if libVLC opens the address.
        var bytes: (any MediaBytes)?
        /// The session through which libVLC reads the segments of a playlist.
        var proxySession: HLSProxySession?
    }

    /// Decoders that keep every sample. libVLC's first choice for AAC drops a packet at the start.
    private static let completeDecoders = "mpg123,flac,vorbis,opus,dav1d,avcodec"
    /// The largest position in seconds. libVLC counts in 64 bits of microseconds.
    private static let latest = 1e12

    private let pointer: OpaquePointer
    private let media: OpaquePointer
    private let instance: VLCInstance
    private let observer: VLCEventObserver
    private let options: Options
    /// It lives as long as the player, because a video output may use it until the player is closed.
    private let frames: VLCFrameReceiver
    /// `true` if the next video output is a window.
    private(set) var opensWindow = false
    private let bytes: VLCByteSource?
    /// The item's file, if a sandbox keeps libVLC from opening it.
    private let file: FileHandle?
    private var isClosed = false

    /// Fails only if libVLC has no memory.
    ///
    /// - Parameter receive: called on libVLC's threads with each event and its time.
    init?(
        instance: VLCInstance, url: URL, _ options: Options,
        receive: @escaping @Sendable (VLCEvent, Duration) -> Void
    ) {
        let bytes = options.bytes.map(VLCByteSource.init)
        file = bytes == nil && url.isFileURL && Sandbox.host != nil ? LocalFile.open(url) : nil
        let media =
            bytes.map { $0.makeMedia(instance.pointer) }
            ?? file.map { libvlc_media_new_fd(instance.pointer, $0.fileDescriptor) }
            ?? (url.isFileURL
                ? libvlc_media_new_path(instance.pointer, url.path(percentEncoded: false))
                : libvlc_media_new_location(instance.pointer, url.absoluteString))
        guard let media else { return nil }
        self.bytes = bytes
        guard let pointer = libvlc_media_player_new_from_media(media) else {
            libvlc_media_release(media)
            return nil
        }
        self.instance = instance
        self.media = media
        self.pointer = pointer
        self.options = options
        frames = VLCFrameReceiver { receive(.frameDrawn, ContinuousClock().hostTime) }
        observer = VLCEventObserver(log: instance.log, receive: receive)
        configure()
        observer.attach(to: pointer, playing: media)
    }

    /// A player that its item has not closed belongs to an engine that was left behind.
    deinit { close() }

    /// Stops libVLC and releases the player. The call can block.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        // Silence comes first, because stopping takes longer.
        input?.setPaused(true)
        bytes?.cancel()
        options.proxySession?.close()
        observer.detach(from: pointer, playing: media)
        libvlc_media_player_stop(pointer)
        observer.endLog()
        VLCExit.remove(pointer)
        libvlc_media_player_release(pointer)
        libvlc_media_release(media)
        if case .mixer(let mixer, let input) = options.audio { mixer.remove(input) }
        ProcessMemory.trimSoon()
    }

    // MARK: Options

    private func configure() {
        let settings = options.settings
        if let role = settings.role.flatMap({ Self.roles[$0] }) { libvlc_media_player_set_role(pointer, role.rawValue) }
        addOption("avcodec-hw=none")
        // Subtitle files beside the item are not part of it.
        addOption("no-sub-autodetect-file")
        for option in options.mediaOptions { addOption(option) }
        // A live stream is joined where it is.
        if options.startPosition > 0, !mayBeEndless { addOption("start-time=\(options.startPosition)") }
        if options.startsPaused { addOption("start-paused") }
        setVideo(options.video)
        switch options.audio {
        case .module(let module): libvlc_audio_output_set(pointer, module)
        case .mixer(_, let input):
            addOption("codec=\(Self.completeDecoders)")
            input.attach(to: pointer)
        }
        setRate(settings.rate)
        setVolume(settings.volume)
        setMuted(settings.isMuted)
    }

    /// The roles that libVLC has a name for.
    private static let roles: [AudioRole: libvlc_media_player_role] = [
        .music: libvlc_role_Music, .video: libvlc_role_Video, .phone: libvlc_role_Communication,
        .game: libvlc_role_Game, .event: libvlc_role_Notification, .animation: libvlc_role_Animation,
        .production: libvlc_role_Production, .accessibility: libvlc_role_Accessibility, .test: libvlc_role_Test,
    ]

    private func addOption(_ option: String) { libvlc_media_add_option(media, ":" + option) }

    // MARK: Video

    /// Sets the destination of the video. libVLC uses it when the video is selected the next time.
    func setVideo(_ video: Video) {
        switch video {
        case .none: addOption("no-video")
        case .window:
            // A window of libVLC's own.
            libvlc_media_player_set_xwindow(pointer, 0)
            opensWindow = true
        case .frames:
            frames.attach(to: pointer)
            opensWindow = false
        }
    }

    /// - Parameters:
    ///   - isHidden: `true` to drop the frames.
    ///   - isPaused: `true` to drop repetitions.
    func setSink(_ sink: (any VideoFrameSink)?, isHidden: Bool, isPaused: Bool) {
        frames.setSink(sink, isHidden: isHidden, isPaused: isPaused)
    }

    /// The stream is decoded from now on, or its size has become known.
    func readVideoSize(of stream: Int) {
        let size = streams.first { $0.id == stream }?.size
        frames.setVideoSize(size.flatMap { $0.height > 0 ? .known($0) : nil } ?? .unavailable)
    }

    /// `true` if the frames of the open video should have another size.
    ///
    /// - Parameter sink: the sink of the output; `nil` for a window.
    func needsOtherSize(for sink: (any VideoFrameSink)?) -> Bool {
        sink.map { !opensWindow && frames.needsOtherSize(for: $0) } ?? false
    }

    /// Clears `lacksFrame` with the next frame that libVLC draws. It draws the frame of a paused item repeatedly.
    func expectFrame() { frames.expectFrame() }

    /// `true` if libVLC has drawn no frame, or none since `expectFrame`. A window has its frame.
    var lacksFrame: Bool { !opensWindow && frames.lacksFrame }

    // MARK: Playback

    func play() {
        VLCExit.add(pointer, reading: bytes)
        libvlc_media_player_play(pointer)
    }

    func setPaused(_ isPaused: Bool) {
        input?.setPaused(isPaused)
        setClockPaused(isPaused)
    }

    /// Pauses libVLC's clock. The mixer continues with the audio that it has.
    func setClockPaused(_ isPaused: Bool) { libvlc_media_player_set_pause(pointer, isPaused ? 1 : 0) }

    /// `true` if libVLC has read the last byte of a file that it reads through us.
    var hasReadAll: Bool { bytes?.hasReadAll == true }

    var proxySession: HLSProxySession? { options.proxySession }

    /// The mixer's input; `nil` if libVLC plays the audio.
    var input: MixerInputQueue? { if case .mixer(_, let input) = options.audio { input } else { nil } }

    /// `false` for live streams. After a pause they would continue where they were.
    var canPause: Bool {
        let isEndless = mayBeEndless && libvlc_media_player_get_length(pointer) <= 0
        return libvlc_media_player_can_pause(pointer) != 0 && !isEndless
    }

    private var mayBeEndless: Bool { options.bytes?.mayBeEndless == true }

    /// - Parameter position: the target, in seconds.
    func seek(to position: Double) {
        input?.prepareForSeek()
        libvlc_media_player_set_time(pointer, Int64((min(position, Self.latest) * 1000).rounded()))
    }

    /// Seeks in a live stream.
    ///
    /// - Parameter fraction: the target as a fraction of the window, the only form that libVLC always accepts.
    func seek(toFraction fraction: Double) {
        input?.prepareForSeek()
        libvlc_media_player_set_position(pointer, Float(fraction))
    }

    func selectAudio(_ stream: Int) { libvlc_audio_set_track(pointer, Int32(stream)) }

    func selectVideo(_ stream: Int?) { libvlc_video_set_track(pointer, Int32(stream ?? -1)) }

    func selectSubtitle(_ stream: Int?) { libvlc_video_set_spu(pointer, Int32(stream ?? -1)) }

    /// Has an effect only while an input exists.
    func setSubtitleDelay(_ seconds: Double) {
        libvlc_video_set_spu_delay(pointer, Int64((seconds * 1e6).rounded()))
    }

    /// Adds a local subtitle file. libVLC reports its stream and does not select it.
    func addSubtitles(_ file: URL) {
        libvlc_media_player_add_slave(pointer, libvlc_media_slave_type_subtitle, file.absoluteString, false)
    }

    func setRate(_ rate: Double) { libvlc_media_player_set_rate(pointer, Float(rate)) }

    func setVolume(_ volume: Double) {
        if let input { return input.setVolume(volume) }
        libvlc_audio_set_volume(pointer, Int32((volume * 100).rounded()))
    }

    func setMuted(_ isMuted: Bool) {
        if let input { return input.setMuted(isMuted) }
        libvlc_audio_set_mute(pointer, isMuted ? 1 : 0)
    }

    // MARK: Media information

    var info: VLCMediaInfo {
        let length = libvlc_media_player_get_length(pointer)
        return VLCMediaInfo(
            duration: VLCMediaInfo.duration(milliseconds: length),
            isSeekable: libvlc_media_player_is_seekable(pointer) != 0 && canSeekBytes,
            time: Double(max(0, libvlc_media_player_get_time(pointer))) / 1000, streams: streams)
    }

    /// `false` if the bytes can only be read in order. libVLC reports some of these files as seekable.
    var canSeekBytes: Bool { options.bytes?.isSeekable ?? true }

    private var streams: [VLCTrack] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<libvlc_media_track_t>?>?
        let count = libvlc_media_tracks_get(media, &list)
        defer { libvlc_media_tracks_release(list, count) }
        return (0..<Int(count)).compactMap { list?[$0]?.pointee }.map(VLCTrack.init)
    }

    /// The frames that libVLC did not show, because they were late.
    var droppedFrames: Int {
        var statistics = libvlc_media_stats_t()
        return libvlc_media_get_stats(media, &statistics) != 0 ? Int(statistics.i_lost_pictures) : 0
    }

    var metadata: MediaMetadata {
        var metadata = MediaMetadata(
            title: meta(libvlc_meta_Title), artist: meta(libvlc_meta_Artist), album: meta(libvlc_meta_Album),
            artworkURL: meta(libvlc_meta_ArtworkURL).flatMap { URL(string: $0) }, chapters: chapters)
        // Without a title libVLC returns its address or the file name, and for some artwork an internal address.
        if let title = metadata.title, placeholderTitles.contains(title) { metadata.title = nil }
        if !["file", "http", "https"].contains(metadata.artworkURL?.scheme) { metadata.artworkURL = nil }
        return metadata
    }

    private var placeholderTitles: [String] {
        guard let mrl = libvlc_media_get_mrl(media) else { return [] }
        defer { libvlc_free(mrl) }
        let address = String(cString: mrl)
        let name = address.split(separator: "/").last.map(String.init) ?? ""
        return [address, name.removingPercentEncoding ?? name]
    }

    private func meta(_ field: libvlc_meta_t) -> String? {
        guard let text = libvlc_media_get_meta(media, field) else { return nil }
        defer { libvlc_free(text) }
        let value = String(cString: text).trimmingCharacters(in: .whitespacesAndNewlines)
        return value.isEmpty ? nil : value
    }

    private var chapters: [Chapter] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<libvlc_chapter_description_t>?>?
        let count = libvlc_media_player_get_full_chapter_descriptions(pointer, -1, &list)
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
        codec = libvlc_media_get_codec_description(track.i_type, track.i_codec).map { String(cString: $0) }
        guard track.i_type == libvlc_track_video, let video = track.video?.pointee else { return }
        size = VideoSize(width: Int(video.i_width), height: Int(video.i_height))
            .withSquarePixels(numerator: video.i_sar_num, denominator: video.i_sar_den)
        if video.i_frame_rate_num > 0, video.i_frame_rate_den > 0 {
            frameRate = Double(video.i_frame_rate_num) / Double(video.i_frame_rate_den)
        }
        // The other four orientations keep width and height.
        if video.i_orientation.rawValue >= libvlc_video_orient_left_top.rawValue {
            size = VideoSize(width: size.height, height: size.width)
        }
    }
}
#endif
