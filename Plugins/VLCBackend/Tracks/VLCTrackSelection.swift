import Playback

/// Keeps what is heard, read and seen as it was chosen, and says what has become of it.
///
/// Streams come, go and change under libVLC's hands, several events a time; what players are told is the outcome.
struct VLCTrackSelection {
    typealias Action = VLCStateMachine.Action

    private let showsVideo: Bool
    /// Whether somebody sees the picture.
    private var isPictureShown: Bool
    private var catalog: VLCTrackCatalog
    /// Whether streams came, went or were chosen since the tracks were told.
    private(set) var isDirty = false
    private var told: (tracks: MediaTracks, audio: Int?, subtitle: Int?, size: VideoSize?) = (.none, nil, nil, nil)
    /// What was chosen by command; of the texts, `.some(nil)` is the choice of none.
    private var chosen: (audio: Int?, subtitle: Int??)
    /// The files whose streams are about to appear, in this order.
    private var awaitedSubtitles: [Int] = []

    init(subtitles: [ExternalSubtitle], showsVideo: Bool, isPictureShown: Bool = true) {
        catalog = VLCTrackCatalog(subtitles: subtitles)
        self.showsVideo = showsVideo
        self.isPictureShown = isPictureShown
    }

    // MARK: What libVLC tells

    mutating func update(_ streams: [VLCTrack]) { catalog.update(streams) }

    mutating func added(_ stream: Int, _ kind: VLCEvent.StreamKind) -> [Action] {
        catalog.added(stream)
        isDirty = true
        guard kind == .text, !awaitedSubtitles.isEmpty else { return [] }
        let id = awaitedSubtitles.removeFirst()
        catalog.bind(stream, toExternal: id)
        return chosen.subtitle == .some(id) ? [.selectSubtitle(stream)] : []
    }

    mutating func removed(_ stream: Int) {
        catalog.removed(stream)
        isDirty = true
    }

    mutating func selected(_ stream: Int, _ kind: VLCEvent.StreamKind) {
        catalog.selected(stream, kind)
        isDirty = true
    }

    /// The player goes, and with it its streams.
    mutating func forgetStreams() {
        catalog.forgetStreams()
        awaitedSubtitles = []
    }

    // MARK: What players are told

    /// The tracks and the choice that libVLC made, as they are told with `opened`.
    mutating func open() -> (tracks: MediaTracks, audio: Int?, subtitle: Int?) {
        told = (catalog.tracks, catalog.audio, catalog.subtitle, nil)
        return (told.tracks, told.audio, told.subtitle)
    }

    /// Another player plays the item: what was chosen is chosen there too.
    mutating func reopen() -> [Action] {
        let audio = chosen.audio.flatMap { catalog.stream(of: $0) }.map { [Action.selectAudio($0)] } ?? []
        return audio + showChosenSubtitle()
    }

    /// What has become of the tracks, once libVLC is through with changing them.
    mutating func settle() -> [Action] {
        guard isDirty else { return [] }
        isDirty = false
        return settleList() + settleAudio() + settleSubtitle() + settleSize()
    }

    private mutating func settleList() -> [Action] {
        var tracks = catalog.tracks
        // A picture that nobody sees is there all the same.
        if isPictureHidden { tracks.video = told.tracks.video }
        guard !tracks.offersTheSame(as: told.tracks), tracks != .none else { return [] }
        told.tracks = tracks
        return [.tell(.tracksChanged(tracks))]
    }

    private mutating func settleAudio() -> [Action] {
        if let wanted = chosen.audio, wanted != catalog.audio, let stream = catalog.stream(of: wanted) {
            return [.selectAudio(stream)]
        }
        guard let audio = catalog.audio, audio != told.audio else { return [] }
        told.audio = audio
        return [.tell(.audioSelected(id: audio))]
    }

    private mutating func settleSubtitle() -> [Action] {
        if case .some(let wanted) = chosen.subtitle {
            let canBe = wanted.map { catalog.stream(of: $0) != nil } ?? true
            return wanted != catalog.subtitle && canBe ? showChosenSubtitle() : []
        }
        guard catalog.subtitle != told.subtitle else { return [] }
        told.subtitle = catalog.subtitle
        return [.tell(.subtitleSelected(id: told.subtitle))]
    }

    private mutating func settleSize() -> [Action] {
        // What comes and goes while nobody sees it is no news.
        guard !isPictureHidden else { return [] }
        let size = showsVideo ? catalog.videoSize : nil
        // The size of some formats is known only after a while.
        if size?.height == 0 {
            isDirty = true
            return []
        }
        guard size != told.size else { return [] }
        told.size = size
        return [.tell(.videoSizeChanged(size))]
    }

    // MARK: What is chosen

    /// Whether there is a picture that is not decoded because nobody sees it. A medium without sound keeps time by it.
    var isPictureHidden: Bool { showsVideo && !isPictureShown && catalog.hasSound }

    mutating func showPicture(_ isShown: Bool, isOpen: Bool) -> [Action] {
        isPictureShown = isShown
        guard isOpen, showsVideo else { return [] }
        if !isShown { return hidePicture() }
        isDirty = true
        return catalog.videoStream.map { [.selectVideo($0)] } ?? []
    }

    /// libVLC opens a medium with its picture, and takes up the picture of another variant.
    mutating func hidePicture() -> [Action] {
        guard isPictureHidden, catalog.decodedKinds.contains(.video) else { return [] }
        catalog.deselectedVideo()
        return [.selectVideo(nil)]
    }

    mutating func selectAudio(_ id: Int) -> [Action] {
        chosen.audio = id
        told.audio = id
        return catalog.stream(of: id).map { [.selectAudio($0)] } ?? []
    }

    mutating func selectSubtitle(_ id: Int?, isOpen: Bool) -> [Action] {
        chosen.subtitle = .some(id)
        told.subtitle = id
        return isOpen ? showChosenSubtitle() : []
    }

    private mutating func showChosenSubtitle() -> [Action] {
        guard case .some(let chosen) = chosen.subtitle else { return [] }
        guard let id = chosen else {
            catalog.deselectedText()
            return [.selectSubtitle(nil)]
        }
        if let stream = catalog.stream(of: id) { return [.selectSubtitle(stream)] }
        return catalog.externalSubtitle(id).map { [.prepareSubtitles(id: id, $0)] } ?? []
    }

    /// - Returns: whether the file that is ready shall still be shown.
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
        if told.subtitle == id { told.subtitle = nil }
        told.tracks = catalog.tracks
        // What was shown before is not what was chosen.
        let hidden = showChosenSubtitle()
        return [.tell(.notice(notice)), .tell(.tracksChanged(told.tracks))] + hidden
    }
}

extension MediaTracks {
    /// Another variant of an adaptive stream has the same tracks, if of another size.
    fileprivate func offersTheSame(as other: MediaTracks) -> Bool {
        audio == other.audio && subtitles == other.subtitles && video.map(\.id) == other.video.map(\.id)
    }
}
