#if GStreamer
import CGStreamerSource
import Foundation
import MediaTransport
import Playback

/// The HLS stream of an item. Files and other live streams use only `isLive`, `seek` and `origin`.
struct GStreamerStreaming {
    /// The reader of the playlist. Results of an earlier one are dropped.
    struct Monitoring {
        let token: GStreamerPlayback.Token
        let monitor: PlaylistMonitor
        var hasAnswered = false
    }

    var session: HLSProxySession?
    var monitoring: Monitoring?
    var awaitsTimeline: Bool { monitoring?.hasAnswered == false }
    var timeline: HLSTimeline?
    /// `true` if the stream is live, or was until its last segment.
    var isLive = false
    /// The quality that the host has selected.
    var quality: VideoQuality?
    /// The number of times that playback has stalled, and a lower quality was chosen for that.
    var loweredQualities = 0
    /// The level of the pipeline's buffer, in percent.
    var level = 100
    /// The error after which the pipeline receives nothing more. It plays what it has.
    var failure: PlaybackError?
    /// Since when a segment is missing that the pipeline may need to open.
    var missingSince: Duration?
    /// The seek that needs another pipeline.
    var seek: Double?
    /// The position of the pipeline's time 0 for each media playlist, in seconds. Always 0 if the stream is not live.
    private var origins: [URL: Double] = [:]
    /// Added to the pipeline's time.
    var origin = 0.0

    /// A pipeline is about to read the stream.
    mutating func begin(_ session: HLSProxySession) {
        self.session = session
        (level, failure, missingSince, origins, origin) = (100, nil, nil, [:], 0)
    }

    /// Notes where the time of a live stream begins. GStreamer counts from the first playlist of a variant.
    mutating func noteOrigin() {
        guard isLive, let timeline, let first = session?.origin, origins[first.playlist] == nil else { return }
        origins[first.playlist] = timeline.position(ofSegment: first.segment)
    }

    /// The pipeline seeks, or starts: its times count from the first playlist of the current variant.
    mutating func useOrigin() {
        noteOrigin()
        if let url = session?.origin?.playlist, let origin = origins[url] { self.origin = origin }
    }
}

// HLS. The pipeline reads playlists and segments through the HLS proxy.
extension GStreamerPlayback {
    /// Playback stalls below this level of the buffer, in percent.
    private static let stallLevel = 5
    /// Playback resumes at this level of the buffer, in percent: after a second of data.
    private static let resumeLevel = 20
    /// A stream lacks data if it has less than this ahead, in seconds.
    private static let shortestBuffer = 0.5
    /// The longest time until a pipeline shows what it has received before an error, also on a busy machine.
    private static let longestSettling = Duration.seconds(10)

    var isStream: Bool { if case .stream = content { true } else { false } }

    func start(_ stream: HLSStream, at position: Double) {
        if let package = GStreamerPlugins.missingForHLS {
            let detail = "HLS needs a GStreamer plugin. Install \(package)."
            return fail(PlaybackError(.unrecognisedFormat, url: address, detail: detail))
        }
        setVariants(of: stream)
        let adapts = stream.hasSeparateAudio && streaming.quality == nil
        let session = HLSProxySession(
            to: stream, scheme: GSTREAMER_SOURCE_SCHEME, hasBegun: hasOpened, holdsRefusals: true,
            countsFromFirst: true, sendsSubtitles: false,
            adaptingWithin: adapts ? HLSVariantFilter(request.item, selected: nil) : nil)
        streaming.begin(session)
        container = stream.format
        tracks.setRenditions(stream.subtitleRenditions)
        if streaming.monitoring == nil { readPlaylist(of: stream) }
        startPipeline(.stream(session.masterAddress), at: position)
    }

    // MARK: The playlist

    private func readPlaylist(of stream: HLSStream) {
        let token = Token()
        let (engine, generation) = (engine, request.generation)
        let monitor = PlaylistMonitor(stream, after: streaming.timeline) { [weak engine] result in
            engine?.perform(on: generation) { playback in
                if playback.streaming.monitoring?.token === token { playback.playlistRead(result) }
            }
        }
        streaming.monitoring = GStreamerStreaming.Monitoring(token: token, monitor: monitor)
    }

    private func playlistRead(_ result: Result<HLSTimeline?, PlaybackError>) {
        guard !isFinished else { return }
        switch result {
        case .failure(let error): broken(error)
        case .success(let timeline):
            let before = streaming.timeline
            streaming.timeline = timeline ?? before
            streaming.isLive = streaming.isLive || timeline?.isLive == true
            streaming.monitoring?.hasAnswered = true
            streaming.noteOrigin()
            if hasOpened, let markers = timeline?.markers, markers != before?.markers ?? [] {
                report(.markersChanged(markers))
            }
            if hasOpened, streaming.isLive, let window = timeline?.window, window != before?.window {
                report(.dvrWindowChanged(window))
            }
            progress()
        }
    }

    /// The position of the pipeline in seconds; `nil` while it is unknown.
    var position: Double? {
        // A live stream that breaks off reports the duration, if it has one.
        if network != nil, isAtEnd { return playhead.anchor }
        return pipeline?.position.map { $0 + streaming.origin }
    }

    /// - Returns: the position that is sought; `nil` if the item cannot seek there.
    func seekPipeline(to position: Double, _ tolerance: SeekTolerance) -> Double? {
        guard let pipeline else { return nil }
        streaming.session?.dropDelivered()
        streaming.session?.dropFailures()
        streaming.missingSince = nil
        guard streaming.isLive else {
            return pipeline.seek(to: position, rate: settings.rate, tolerance) ? position : nil
        }
        streaming.useOrigin()
        guard let range = pipeline.seekableRange else { return nil }
        // GStreamer plays no closer to the edge than three segments.
        let target = min(max(position - streaming.origin, range.lowerBound), range.upperBound)
        // The range may move at the same time, and GStreamer refuses an exact seek to another place.
        let isSought =
            pipeline.seek(to: target, rate: settings.rate, tolerance)
            || pipeline.seek(to: target, rate: settings.rate, .keyframe)
        return isSought ? target + streaming.origin : nil
    }

    // MARK: Qualities

    /// The master playlist is read once for each pipeline, so the stream is opened again.
    func selectQuality(_ quality: VideoQuality?) {
        streaming.quality = quality
        guard case .stream(let stream) = content, setVariants(of: stream), pipeline != nil else { return }
        reopen()
    }

    /// Limits the variants to those that GStreamer may play.
    ///
    /// With separate audio that is one. For another one, GStreamer replaces all streams, and hangs or crashes on a busy machine.
    /// The HLS proxy replaces the segments instead, except for encrypted ones.
    ///
    /// - Returns: `false` if they stay the same.
    @discardableResult
    private func setVariants(of stream: HLSStream) -> Bool {
        var filter = HLSVariantFilter(request.item, selected: streaming.quality)
        if stream.hasSeparateAudio, streaming.quality == nil {
            let qualities = stream.qualities(within: filter)
            filter.selected = qualities.dropFirst(streaming.loweredQualities).first ?? qualities.last
        }
        return stream.setFilter(filter)
    }

    /// Opens the stream again with the next lower quality, if neither GStreamer nor the HLS proxy can choose that.
    func lowerQuality() {
        guard case .stream(let stream) = content, streaming.quality == nil, stream.hasSeparateAudio,
            streaming.loweredQualities + 1 < stream.qualities.count, let session = streaming.session, !session.adapts,
            session.error == nil
        else { return }
        streaming.loweredQualities += 1
        reopen()
    }

    func reportQualities() {
        guard case .stream(let stream) = content, !stream.qualities.isEmpty else { return }
        report(.qualitiesChanged(stream.qualities))
    }

    /// Opens the stream again with another pipeline, at the playhead or at the target of the pending seek.
    func reopen() {
        let position = pausePlayhead()
        retry.willRestart(after: 0, at: now)
        open(at: position)
    }

    // MARK: The buffer

    func levelChanged(to level: Int) {
        guard isStream else { return }
        let isFalling = level < streaming.level
        streaming.level = level
        // The level is also 0 for a moment where the format of a stream changes.
        let isLow = level < Self.stallLevel && !hasSegments(ahead: Self.shortestBuffer)
        if case .playing = state, isFalling, isLow { stall() }
        if case .stalled = state { checkStall() }
    }

    /// `true` if the pipeline lacks data.
    var lacksSegments: Bool {
        guard let session = streaming.session, streaming.failure == nil else { return true }
        return streaming.level < Self.resumeLevel || session.isWaiting || session.error != nil
            || !hasSegments(ahead: Self.shortestBuffer)
    }

    /// `true` if the video is missing while the separate audio continues.
    var lacksVideo: Bool {
        guard case .stream(let stream) = content, stream.hasSeparateAudio else { return false }
        return !hasSegments(ahead: 0)
    }

    /// The pipeline reports no level if it has played all segments of a live stream.
    private func hasSegments(ahead seconds: Double) -> Bool {
        guard let session = streaming.session, let timeline = streaming.timeline else { return true }
        let position = playhead.position(at: now)
        // Nothing is known about segments that have left the playlist.
        guard position >= timeline.window.start else { return true }
        let end = timeline.bufferedRange(around: position, session.deliveredParts).upperBound
        if session.isComplete, end > timeline.window.end - Self.shortestBuffer { return true }
        return end > position + seconds
    }

    // MARK: Errors

    /// The pipeline reports an error, and plays what it has.
    func streamFailed(with error: PlaybackError) {
        guard streaming.failure == nil else { return }
        streaming.failure = streaming.session?.error ?? error
        checkFailure()
    }

    /// Ends a pipeline that has played what it had before an error.
    func checkFailure() {
        guard isStream, let session = streaming.session else { return }
        let failure = streaming.failure ?? session.error
        switch state {
        case .starting, .positioning, .seeking:
            guard let failure else { return }
            let since = streaming.missingSince ?? now
            streaming.missingSince = since
            if session.deliveredParts.values.contains(1), now - since < Self.longestSettling { return }
            broken(failure)
        case .stalled: if let failure { broken(failure) }
        default: return
        }
    }
}
#endif
