#if GStreamer
import Foundation
import MediaTransport
import Playback

// Live streams without a playlist: radio stations, and those that an element of GStreamer reads (RTSP, SRT, RTMP and UDP).
//
// They have no duration and no window. A pause disconnects, and playing joins the stream again at its edge. The pipeline of an
// element never pauses, because its source is a clock that does not wait. After an error the item is opened again, as its policy says.
extension GStreamerPlayback {
    /// A stream stalls after this number of ticks without progress.
    private static let longestGap = 4
    /// The same without audio: some cameras send one frame a second.
    private static let longestVideoGap = 8
    /// A pipeline of RTSP plays what it has received for a shorter time, in seconds: for the latency of 0.5 s, and for the second by
    /// which GStreamer lets packets arrive early.
    private static let longestPlayout = 2.0

    /// `true` for a live stream without a playlist.
    var isBroadcast: Bool { network != nil || isStation }

    /// `true` for a radio station.
    var isStation: Bool { if case .progressive(let bytes) = content { bytes.isStation } else { false } }

    func start(_ source: GStreamerNetworkSource, at position: Double) {
        if let plugin = source.kind.missingPlugin {
            let detail = "\(source.kind.rawValue.uppercased()) needs a GStreamer plugin. Install \(plugin.package)."
            return fail(PlaybackError(.unsupportedScheme, url: address, detail: detail))
        }
        streaming.isLive = true
        retry.waitingSince = now
        startPipeline(.network(source), at: position)
        // The source sends nothing while it is paused, so the pipeline plays until the streams are known.
        if !isPlayWanted { pipeline?.silence() }
    }

    /// The pipeline plays.
    func joined(at position: Double) {
        // The first position comes a moment later.
        guard let start = pipeline?.position else { return }
        streaming.origin = position - start
        volumeChanged()
        opened()
    }

    // MARK: Pauses

    /// Ends the connection, because playback is paused. The last frame stays in the view.
    func disconnect() {
        let wasActive = if case .paused = state { false } else { true }
        stopPlayhead()
        state = .paused
        retry.waitingSince = nil
        closePipeline()
        if wasActive { report(.paused(position: playhead.position(at: now))) }
    }

    /// Joins the stream again after a pause.
    func reconnect() {
        guard isBroadcast, pipeline == nil, case .paused = state else { return }
        report(.stalled(position: playhead.position(at: now)))
        report(.buffered(.empty))
        retry.reconnect(at: now)
        open(at: playhead.position(at: now))
    }

    // MARK: Stalls

    /// `true` if playback has stopped, because no data arrive.
    var lacksLiveData: Bool {
        ticks.withoutProgress >= (tracks.hasAudio ? Self.longestGap : Self.longestVideoGap)
    }

    /// Ends a stall if data have arrived, and reconnects if none have arrived for the read timeout.
    func checkLiveData() {
        if let position, position > playhead.anchor {
            // A sender's time stamps continue during an outage. The playhead continues where it was.
            streaming.origin -= position - playhead.anchor
            return endStall()
        }
        guard let waitingSince = retry.waitingSince else { return }
        let seconds = (now - waitingSince) / .seconds(1)
        guard seconds > retry.policy.readTimeout else { return }
        broken(PlaybackError(.timedOut, url: address).after(.waited(seconds: seconds)))
    }

    // MARK: Errors

    /// `true` if no data follow. The message about that comes a moment later.
    var isAtEnd: Bool {
        guard let position = pipeline?.position, let end = pipeline?.duration else { return false }
        return position >= end
    }

    /// `true` if a recording has played to its end. A live stream has no end.
    func isRecordingOver(at time: Duration) -> Bool {
        guard network != nil, let end = pipeline?.duration else { return false }
        return playhead.position(at: time) - streaming.origin > end - Self.endTolerance
    }

    /// The server has ended the stream. A live stream has lost its server.
    func liveEnded(at time: Duration) {
        guard isRecordingOver(at: time) else { return broken(PlaybackError(.connectionLost, url: address)) }
        endWithAudio(at: playhead.position(at: time) + secondsOfMixedAudio)
    }

    /// The server has closed the connection of RTSP over TCP.
    ///
    /// The pipeline ends when it has played what it has received. If packets still wait in a jitter buffer, GStreamer 1.22 may
    /// lose the end of their stream. The other streams then wait for it forever, and the clock continues.
    func connectionClosed() {
        guard network?.kind == .rtsp, network?.usesUDP == false else { return }
        let token = token
        engine.perform(on: request.generation, after: Self.longestPlayout) { playback in
            guard playback.token === token else { return }
            playback.isOpen ? playback.liveEnded(at: playback.now) : playback.connectionClosed()
        }
    }

    func liveFailed(_ failure: GStreamerFailure) {
        guard case .starting(let position) = state else {
            if case .other = failure.kind {
                return broken(PlaybackError(.connectionLost, url: address, cause: failure.message))
            }
            return broken(error(for: failure))
        }
        switch failure.kind {
        case .refused(let status): broken(PlaybackError(httpStatus: status, url: address))
        case .other, .noAnswer: findReason(of: failure)
        // The server refuses to send the streams over TCP, or at all.
        case .decoderMissing where network?.kind == .rtsp && missingDecoder == nil:
            guard network?.usesUDP == false else {
                return broken(PlaybackError(.noPlayableStream, url: address, cause: failure.message))
            }
            network?.usesUDP = true
            open(at: position)
        default: broken(error(for: failure))
        }
    }

    /// The elements do not report why a server cannot be reached.
    private func findReason(of failure: GStreamerFailure) {
        closePipeline()
        guard let network else { return }
        let (engine, generation, token) = (engine, request.generation, token)
        let (host, port, timeout) = (network.url.host() ?? "", network.tcpPort, retry.policy.readTimeout)
        DispatchQueue.global().async { [weak engine] in
            let problem = ServerCheck.problem(host: host, port: port, timeout: timeout)
            engine?.perform(on: generation) { playback in
                guard playback.token === token else { return }
                playback.broken(playback.unreachable(problem, failure))
            }
        }
    }

    private func unreachable(_ problem: PlaybackErrorCode?, _ failure: GStreamerFailure) -> PlaybackError {
        if let problem { return .unreachable(problem, url: address, cause: failure.message) }
        let code: PlaybackErrorCode = if case .noAnswer = failure.kind { .timedOut } else { .connectionFailed }
        return PlaybackError(code, url: address, cause: failure.message)
    }
}
#endif
