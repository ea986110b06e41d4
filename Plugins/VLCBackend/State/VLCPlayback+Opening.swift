#if VLC
import Foundation
import MediaTransport
import Playback

// The content of the item's address, its playlist, and its subtitle files.
extension VLCPlayback {
    private var requestOptions: HTTPRequestOptions {
        HTTPRequestOptions(request.item, at: address, cookies: cookies, meter: statistics.meter)
    }

    /// Starts a player at a position in seconds. The type of the content is found out first.
    func open(at position: Double) {
        // Without content, the address is new or was never read.
        guard content == nil else { return startPlayer(at: position) }
        let error = MediaPreflight.error(for: address, request.item.securityPolicy)
        if let error = error ?? VLCModules.error(for: address) {
            return perform { $0.unreachable(error, at: $1) }
        }
        guard MediaProbe.isNeeded(for: address) else { return startPlayer(at: position) }
        closePlayers()
        let completion = receiver(while: \.playerToken) { $0.probed($1, position) }
        probe = MediaProbe(address, by: requestOptions, completion: completion)
    }

    private func probed(_ result: Result<MediaProbe.Content, PlaybackError>, _ position: Double) {
        guard let probe, !isOver else { return }
        self.probe = nil
        switch result {
        case .success(let content):
            self.content = content
            if case .progressive(let item) = content {
                probe.handOver()
                machine.tracks.isMP4InOrder = item.isMP4InOrder
                machine.setStation(item.isStation)
            }
            if case .stream(let stream) = content {
                stream.setFilter(variantFilter)
                machine.streamFormat = stream.format
            }
            monitor = nil
            // For a new stream, libVLC's demuxer requests the playlist.
            if machine.timeline != nil { readPlaylist() }
            startPlayer(at: position)
        case .failure(let error): perform { $0.unreachable(error, at: $1) }
        }
    }

    /// - Parameter url: the new address; `nil` if there is none.
    func readdress(to url: URL?) {
        perform { $0.readdressed(to: url, at: $1) }
    }

    func readPlaylist() {
        guard case .stream(let stream) = content else { return receive(.presentation(nil), at: now) }
        monitorToken = Token()
        let report = receiver(while: \.monitorToken) { $0.playlistRead($1) }
        monitor = PlaylistMonitor(stream, after: machine.timeline, report: report)
    }

    private func playlistRead(_ result: Result<HLSTimeline?, PlaybackError>) {
        switch result {
        case .success(let timeline): receive(.presentation(timeline), at: now)
        case .failure(let error): perform { $0.unreachable(error, at: $1) }
        }
    }

    // MARK: Qualities

    private var variantFilter: HLSVariantFilter { HLSVariantFilter(request.item, selected: selectedQuality) }

    /// libVLC reads the master playlist once for each player, so the stream is opened again with other variants.
    func selectQuality(_ quality: VideoQuality?) {
        selectedQuality = quality
        guard case .stream(let stream) = content, stream.setFilter(variantFilter), player != nil else { return }
        perform { $0.variantsChanged(at: $1) }
    }

    func reportQualities() {
        guard case .stream(let stream) = content else { return }
        let qualities = stream.qualities
        if !qualities.isEmpty { report(.qualitiesChanged(qualities)) }
    }

    // MARK: Subtitle files

    func prepare(_ subtitle: ExternalSubtitle, id: Int) {
        if let file = subtitles[id] { return add(file, id: id) }
        guard subtitleTasks[id] == nil else { return }
        let options = requestOptions
        subtitleTasks[id] = Task { [weak engine, generation] in
            do throws(SubtitleFile.Unusable) {
                let file = try await SubtitleFile.prepare(subtitle, by: options)
                engine?.perform(on: generation) { $0.add(file, id: id) }
            } catch {
                engine?.perform(on: generation) { playback in
                    playback.subtitleTasks[id] = nil
                    playback.perform { machine, _ in machine.subtitlesUnusable(id, error.notice) }
                }
            }
        }
    }

    private func add(_ file: SubtitleFile, id: Int) {
        subtitleTasks[id] = nil
        subtitles[id] = file
        perform { machine, _ in
            if machine.subtitlesPrepared(id) { player?.addSubtitles(file.url) }
            return []
        }
    }
}
#endif
