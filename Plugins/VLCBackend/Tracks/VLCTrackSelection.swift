import Playback

/// The user's choice of tracks, and the tracks that were reported.
///
/// libVLC adds, removes and selects streams on its own, in several events at a time. The player receives the result,
/// from `settle`.
struct VLCTrackSelection {
    typealias Action = VLCStateMachine.Action

    /// `true` if the video has, or had, an output.
    private(set) var hadVideoOutput: Bool
    /// `true` if there is an output for the video, and a view shows it.
    private(set) var isVideoVisible: Bool
    /// `true` for an mp4 file that can only be read in order. libVLC goes back to a key frame when it selects a video, so the video
    /// stays selected, also while it is hidden.
    var isMP4InOrder = false
    /// libVLC's number of the video that was deselected, until it has a decoder again.
    private var deselectedVideo: Int?
    private var catalog: VLCTrackCatalog
    /// `true` if streams were added, removed or selected since the last `settle`.
    private(set) var isDirty = false
    private var reported: (tracks: MediaTracks, audio: Int?, subtitle: Int?, size: VideoSize?) = (.none, nil, nil, nil)
    /// The tracks that the user chose. The choice of no subtitles is `.some(nil)`.
    private var chosen: (audio: Int?, subtitle: Int??)
    /// The subtitle files that libVLC opens. Their streams appear in this order.
    private var awaitedSubtitles: [Int] = []

    init(subtitles: [ExternalSubtitle], showsVideo: Bool, isVideoVisible: Bool = true) {
        catalog = VLCTrackCatalog(subtitles: subtitles)
        hadVideoOutput = showsVideo
        self.isVideoVisible = showsVideo && isVideoVisible
    }

    // MARK: Events

    mutating func update(_ streams: [VLCTrack]) { catalog.update(streams) }

    mutating func added(_ stream: Int, _ kind: VLCEvent.StreamKind) -> [Action] {
        catalog.added(stream, kind)
        isDirty = true
        guard kind == .subtitle, !awaitedSubtitles.isEmpty else { return replaceVideo() }
        let id = awaitedSubtitles.removeFirst()
        catalog.bind(stream, toExternal: id)
        return chosen.subtitle == .some(id) ? [.selectSubtitle(stream)] : []
    }

    mutating func removed(_ stream: Int) -> [Action] {
        let wasDecoded = catalog.decodedVideo == stream
        catalog.removed(stream)
        isDirty = true
        if wasDecoded, catalog.videoStream(replacing: stream) != nil { deselectedVideo = stream }
        return replaceVideo()
    }

    /// A segmented stream replaces its video when it changes the variant. libVLC selects the new one only if it decoded the
    /// old one at that moment.
    private mutating func replaceVideo() -> [Action] {
        guard let stream = deselectedVideo.flatMap({ catalog.videoStream(replacing: $0) }) else { return [] }
        deselectedVideo = stream
        return isVideoVisible ? [.selectVideo(stream)] : []
    }

    mutating func selected(_ stream: Int, _ kind: VLCEvent.StreamKind) {
        catalog.selected(stream, kind)
        if kind == .video { deselectedVideo = nil }
        isDirty = true
    }

    /// The libVLC player is closed, and with it its streams.
    mutating func forgetStreams() {
        catalog.forgetStreams()
        deselectedVideo = nil
        awaitedSubtitles = []
    }

    // MARK: Reports

    /// Returns the tracks and libVLC's choice, for the event `opened`.
    mutating func open() -> (tracks: MediaTracks, audio: Int?, subtitle: Int?) {
        reported = (catalog.tracks, catalog.audio, catalog.subtitle, nil)
        return (reported.tracks, reported.audio, reported.subtitle)
    }

    /// Another libVLC player plays the item. Selects the chosen tracks there.
    mutating func reopen() -> [Action] {
        let audio = chosen.audio.flatMap { catalog.stream(of: $0) }.map { [Action.selectAudio($0)] } ?? []
        return audio + selectChosenSubtitle()
    }

    /// Reports the changes of the tracks, once libVLC has finished them.
    mutating func settle() -> [Action] {
        guard isDirty else { return [] }
        isDirty = false
        return settleList() + settleAudio() + settleSubtitle() + settleSize()
    }

    /// The tracks that the host may select. A hidden video is not decoded, but remains available.
    private var availableTracks: MediaTracks {
        var tracks = catalog.tracks
        if isVideoHidden { tracks.video = reported.tracks.video }
        return tracks
    }

    private mutating func settleList() -> [Action] {
        let tracks = availableTracks
        guard !tracks.offersTheSame(as: reported.tracks), tracks != .none else { return [] }
        reported.tracks = tracks
        return [.report(.tracksChanged(tracks))]
    }

    private mutating func settleAudio() -> [Action] {
        if let wanted = chosen.audio, wanted != catalog.audio, let stream = catalog.stream(of: wanted) {
            return [.selectAudio(stream)]
        }
        guard let audio = catalog.audio, audio != reported.audio else { return [] }
        reported.audio = audio
        return [.report(.audioSelected(id: audio))]
    }

    private mutating func settleSubtitle() -> [Action] {
        if case .some(let wanted) = chosen.subtitle {
            let canBe = wanted.map { catalog.stream(of: $0) != nil } ?? true
            return wanted != catalog.subtitle && canBe ? selectChosenSubtitle() : []
        }
        guard catalog.subtitle != reported.subtitle else { return [] }
        reported.subtitle = catalog.subtitle
        return [.report(.subtitleSelected(id: reported.subtitle))]
    }

    private mutating func settleSize() -> [Action] {
        // Changes of a hidden video are not reported, and neither is a video that is about to be selected again.
        guard isVideoVisible, deselectedVideo == nil else { return [] }
        let size = catalog.videoSize
        // libVLC detects the size of some formats late.
        if size?.height == 0 {
            isDirty = true
            return []
        }
        guard size != reported.size else { return [] }
        reported.size = size
        return [.report(.videoSizeChanged(size))]
    }

    // MARK: Choice

    /// `true` if the video is not decoded because no view shows it. An item without audio needs its video as the clock.
    var isVideoHidden: Bool { !isVideoVisible && catalog.hasAudio }

    /// The frame rate of the video, in frames per second; `nil` if it is unknown.
    var frameRate: Double? { catalog.tracks.video.first?.frameRate }

    /// libVLC forgets the stream of a deselected video in some formats.
    var hasVideo: Bool { (catalog.videoStream ?? catalog.decodedVideo ?? deselectedVideo) != nil }

    /// libVLC's number of the decoded video.
    var decodedVideo: Int? { catalog.decodedVideo }

    mutating func setVideoVisible(_ isVisible: Bool, isOpen: Bool) -> [Action] {
        isVideoVisible = isVisible
        hadVideoOutput = hadVideoOutput || isVisible
        if !isVisible { return deselectHiddenVideo() }
        guard isOpen || deselectedVideo != nil else { return [] }
        isDirty = true
        guard catalog.decodedVideo == nil else { return [] }
        return (deselectedVideo ?? catalog.videoStream).map { [.selectVideo($0)] } ?? []
    }

    /// libVLC selects the video of a new item and of a new variant.
    mutating func deselectHiddenVideo() -> [Action] {
        isVideoHidden && !isMP4InOrder ? deselectVideo() : []
    }

    mutating func deselectVideo() -> [Action] {
        guard let stream = catalog.decodedVideo else { return [] }
        deselectedVideo = stream
        catalog.deselected(.video)
        return [.selectVideo(nil)]
    }

    mutating func selectAudio(_ id: Int) -> [Action] {
        chosen.audio = id
        reported.audio = id
        return catalog.stream(of: id).map { [.selectAudio($0)] } ?? []
    }

    mutating func selectSubtitle(_ id: Int?, isOpen: Bool) -> [Action] {
        chosen.subtitle = .some(id)
        reported.subtitle = id
        return isOpen ? selectChosenSubtitle() : []
    }

    private mutating func selectChosenSubtitle() -> [Action] {
        guard case .some(let chosen) = chosen.subtitle else { return [] }
        guard let id = chosen else {
            catalog.deselected(.subtitle)
            return [.selectSubtitle(nil)]
        }
        if let stream = catalog.stream(of: id) { return [.selectSubtitle(stream)] }
        return catalog.externalSubtitle(id).map { [.prepareSubtitles(id: id, $0)] } ?? []
    }

    /// - Returns: `true` if libVLC shall open the file.
    mutating func subtitlesPrepared(_ id: Int) -> Bool {
        guard chosen.subtitle == .some(id), catalog.stream(of: id) == nil, !awaitedSubtitles.contains(id) else {
            return false
        }
        awaitedSubtitles.append(id)
        return true
    }

    mutating func subtitlesUnusable(_ id: Int, _ notice: PlaybackNotice) -> [Action] {
        catalog.markUnavailable(id)
        if chosen.subtitle == .some(id) { chosen.subtitle = .some(nil) }
        if reported.subtitle == id { reported.subtitle = nil }
        reported.tracks = availableTracks
        let hidden = selectChosenSubtitle()
        return [.report(.notice(notice)), .report(.tracksChanged(reported.tracks))] + hidden
    }
}

extension MediaTracks {
    /// Compares the tracks without the video size, which differs between the variants of a stream.
    fileprivate func offersTheSame(as other: MediaTracks) -> Bool {
        audio == other.audio && subtitles == other.subtitles && video.map(\.id) == other.video.map(\.id)
    }
}
