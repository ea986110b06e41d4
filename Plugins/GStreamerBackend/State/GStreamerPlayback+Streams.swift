#if GStreamer
import Foundation
import MediaTransport
import Playback

// The tracks, the video and the metadata of an item.
extension GStreamerPlayback {
    func selectAudio(_ id: Int) {
        if tracks.selectAudio(id) { selectStreams() }
    }

    func selectSubtitle(_ id: Int?) {
        guard tracks.selectSubtitle(id) else { return }
        selectStreams()
        guard id != nil, !GStreamerPlugins.has(.subtitles) else { return }
        let message = "Subtitles are not shown. Install \(GStreamerPlugins.Plugin.subtitles.package)."
        report(.notice(PlaybackNotice(code: "subtitlesUnavailable", message: message)))
    }

    /// Lets the pipeline play the selected tracks.
    func selectStreams() {
        guard isOpen, let pipeline else { return }
        let cues = tracks.separateSubtitle.flatMap { separateCues[$0.id] } ?? []
        let isOther = pipeline.select(audio: tracks.audio, subtitle: tracks.subtitleStream, separate: cues)
        // The mixer has the start of the other track. The seek drops it.
        if isOther, isSeekable, awaitsAudio { seek(to: playhead.position(at: now), .exact, isSilent: true) }
        readSubtitles()
    }

    func videoOutputChanged() {
        reportMissingDisplay()
        pipeline?.setVideoOutput(isPreloaded ? .none : engine.assumeIsolated { $0.videoOutput() })
        showFrame()
    }

    /// Sends the frame of a paused item to an output that needs it. Hidden video was not decoded.
    func showFrame() {
        guard case .paused = state, pipeline?.takeFrameRequest() == true else { return }
        seek(to: playhead.position(at: now), .exact, isSilent: true)
    }

    func reportMissingDisplay() {
        if hasOpened, tracks.hasVideo, settings.lacksDisplay { report(.notice(.noDisplay)) }
    }

    func streamsChanged() {
        // The list of a pipeline is not complete until it has opened.
        guard let pipeline, isOpen || !hasOpened else { return }
        let (before, sizeBefore) = (tracks.list, tracks.videoSize)
        let renditions =
            if case .stream(let stream) = content { stream.audioRenditions } else { [HLSPlaylist.Rendition]() }
        tracks.streams = pipeline.streams.map { stream in
            var stream = stream
            stream.complete(by: renditions)
            return stream
        }
        guard hasOpened, tracks.list != before else { return }
        report(.tracksChanged(tracks.list))
        selectStreams()
        if tracks.videoSize != sizeBefore { reportVideoSize() }
    }

    func reportVideoSize() {
        guard let size = tracks.videoSize, size.width > 0 else { return }
        report(.videoSizeChanged(size))
    }

    // MARK: Metadata

    func tagsChanged(_ tags: GStreamerTags) {
        container = container ?? tags.container
        // The tags of a single audio stream describe the item, as in FLAC.
        let isOnlyStream = !tracks.hasVideo && tracks.list.audio.count <= 1
        guard tags.isGlobal || isOnlyStream else { return }
        var new = tags.metadata.completed(by: metadata)
        if let image = tags.image { new.artworkURL = ArtworkCache.file(of: image) }
        metadataChanged(new)
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

    /// The pipeline has opened with another decoder than it has tried first.
    func reportFailedDecoders() {
        failedDecoders.formUnion(pipeline?.unusableDecoders ?? [])
        for decoder in failedDecoders.sorted() {
            let message = "The hardware decoder \(decoder) has failed. Another one decodes the video."
            report(.notice(PlaybackNotice(code: "decoderFailed", message: message)))
        }
    }

    /// The missing decoder and the package that may have it; `nil` without one.
    var missingPart: String? {
        missingDecoder.map { name in
            let sentence =
                name.hasSuffix("demuxer")
                ? "More demuxers are in \(GStreamerPlugins.Plugin.asf.package)."
                : "Most decoders are in \(GStreamerPlugins.Plugin.decoders.package)."
            return "GStreamer lacks a part: \(name). \(sentence)"
        }
    }

    /// A stream without a decoder is left out.
    func reportMissingDecoder() {
        guard hasOpened, let missingPart else { return }
        report(.notice(PlaybackNotice(code: "decoderMissing", message: missingPart)))
    }
}
#endif
