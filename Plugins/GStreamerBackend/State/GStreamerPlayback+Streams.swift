#if GStreamer
import Foundation
import Playback

// The tracks, the video and the metadata of an item.
extension GStreamerPlayback {
    func selectAudio(_ id: Int) {
        if tracks.selectAudio(id) { selectStreams() }
    }

    func selectSubtitle(_ id: Int?) {
        guard tracks.selectSubtitle(id) else { return }
        pipeline?.setSubtitlesVisible(id != nil)
        selectStreams()
    }

    /// Lets the pipeline decode the streams that are wanted.
    func selectStreams() {
        guard isOpen, let pipeline else { return }
        let wanted = tracks.wanted(showsVideo: settings.sink != nil)
        guard !wanted.isEmpty, Set(wanted) != tracks.decoded else { return }
        pipeline.select(wanted)
    }

    func videoOutputChanged() {
        pipeline?.setSink(settings.sink)
        selectStreams()
    }

    func streamsChanged(_ streams: [GStreamerStream]) {
        let before = tracks.list
        tracks.update(streams)
        if hasOpened, tracks.list != before { report(.tracksChanged(tracks.list)) }
    }

    func streamsSelected(_ ids: [GStreamerStream.ID]) {
        let before = tracks.audio
        tracks.selected(ids)
        if hasOpened, tracks.audio != before { report(.audioSelected(id: tracks.audio)) }
        reportVideoSize()
    }

    func videoDecoded(_ size: VideoSize) {
        let before = tracks.list
        tracks.setVideoSize(size)
        if hasOpened, tracks.list != before { report(.tracksChanged(tracks.list)) }
        reportVideoSize()
    }

    func reportVideoSize() {
        guard hasOpened, let size = tracks.videoSize, size.width > 0, size != reportedVideoSize else { return }
        reportedVideoSize = size
        report(.videoSizeChanged(size))
    }

    // MARK: Metadata

    func tagsChanged(_ tags: GStreamerTags) {
        container = container ?? tags.container
        // The tags of a single audio stream describe the item, as in FLAC.
        let isOnlyStream = !tracks.hasVideo && tracks.list.audio.count <= 1
        guard tags.isGlobal || isOnlyStream else { return }
        metadataChanged(tags.metadata.completed(by: metadata))
    }

    func chaptersChanged(_ chapters: [Chapter]) {
        var metadata = metadata
        metadata.chapters = chapters
        metadataChanged(metadata)
    }

    private func metadataChanged(_ metadata: MediaMetadata) {
        guard metadata != self.metadata else { return }
        self.metadata = metadata
        if hasOpened { report(.metadataChanged(metadata)) }
    }

    // MARK: Decoders

    /// A stream without a decoder is left out. The notice names it.
    func reportMissingDecoder() {
        guard hasOpened, let missingDecoder else { return }
        let message =
            "No decoder is installed for \(missingDecoder). Install gstreamer1.0-libav or the decoder's package."
        report(.notice(PlaybackNotice(code: "decoderMissing", message: message)))
    }
}
#endif
