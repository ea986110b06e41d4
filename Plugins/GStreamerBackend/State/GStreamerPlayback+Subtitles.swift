#if GStreamer
import Foundation
import MediaTransport
import Playback

// Subtitles that the pipeline does not read: external files, and those of HLS in their own playlists.
extension GStreamerPlayback {
    /// Reads the selected subtitles: a file as a whole, and those of HLS some time before they are shown.
    func readSubtitles() {
        pipeline?.setSubtitleOrigin(streaming.origin)
        guard isOpen, let subtitles = tracks.separateSubtitle else {
            subtitleReader = nil
            return
        }
        switch subtitles.source {
        case .file(let file): if separateCues[subtitles.id] == nil { read(file, id: subtitles.id) }
        case .rendition(let rendition): read(rendition, id: subtitles.id)
        }
    }

    private func read(_ file: ExternalSubtitle, id: Int) {
        guard subtitleTasks[id] == nil else { return }
        let options = requestOptions
        subtitleTasks[id] = Task { [weak engine, generation = request.generation] in
            do throws(SubtitleFile.Unusable) {
                let cues = await GStreamerSubtitles.readCues(of: try await SubtitleFile.prepare(file, by: options))
                engine?.perform(on: generation) { $0.add(cues, id: id) }
            } catch {
                engine?.perform(on: generation) { $0.subtitlesUnusable(id, error.notice) }
            }
        }
    }

    private func read(_ rendition: HLSPlaylist.Rendition, id: Int) {
        guard case .stream(let stream) = content, let timeline = streaming.timeline, let session = streaming.session
        else { return }
        if subtitleReader?.id != id || subtitleReader?.stream !== stream {
            let (engine, generation) = (engine, request.generation)
            let reader = HLSSubtitles(rendition, of: stream) { [weak engine] outcome in
                guard case .part(let part) = outcome else {
                    engine?.perform(on: generation) { $0.received(outcome, id: id) }
                    return
                }
                Task { [weak engine] in
                    let cues = await GStreamerSubtitles.readCues(of: part.file).compactMap { $0.moved(by: part.origin) }
                    engine?.perform(on: generation) { $0.add(cues, id: id) }
                }
            }
            subtitleReader = reader.map { (id, stream, $0) }
        }
        subtitleReader?.reader.update(around: playhead.position(at: now), at: now, in: timeline) { period in
            session.clock(ofPeriod: period).map { $0.time - timeline.position(ofSegment: $0.segment) }
        }
    }

    private func received(_ outcome: HLSSubtitles.Outcome, id: Int) {
        switch outcome {
        case .part, .playlist: break
        case .skipped(let notice): report(.notice(notice))
        case .unusable(let notice): return subtitlesUnusable(id, notice)
        }
        readSubtitles()
    }

    /// Segments repeat the cues that continue in them. Those that have left the window of a live stream are forgotten.
    private func add(_ new: [GStreamerSubtitles.Cue], id: Int) {
        subtitleTasks[id] = nil
        let start = streaming.isLive ? streaming.timeline?.window.start ?? 0 : 0
        let known = (separateCues[id] ?? []).filter { Double($0.end) / 1e9 >= start }
        separateCues[id] = known + new.filter { !known.contains($0) }
        selectStreams()
    }

    private func subtitlesUnusable(_ id: Int, _ notice: PlaybackNotice) {
        subtitleTasks[id] = nil
        tracks.markUnavailable(id)
        report(.notice(notice))
        report(.tracksChanged(tracks.list))
        selectStreams()
    }
}
#endif
