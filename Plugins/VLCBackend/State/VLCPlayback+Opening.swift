#if VLC
import Foundation
import MediaTransport
import Playback

// The content of the item's address, and its playlist.
extension VLCPlayback {
    var requestOptions: HTTPRequestOptions {
        HTTPRequestOptions(
            retry: request.item.retryPolicy, security: request.item.securityPolicy, cookies: cookies)
    }

    /// Finds out the type of the content, and calls `start` then.
    func locate(_ start: @escaping @Sendable (VLCPlayback) -> Void) {
        if let error = MediaPreflight.error(for: address, request.item.securityPolicy) {
            return perform { $0.unreachable(error, at: $1) }
        }
        guard MediaProbe.isNeeded(for: address) else { return start(self) }
        closePlayers()
        let token = playerToken
        probe = MediaProbe(address, by: requestOptions) { [weak engine, generation] result in
            engine?.perform(on: generation) { playback in
                if playback.playerToken === token { playback.probed(result, start) }
            }
        }
    }

    private func probed(_ result: Result<MediaProbe.Content, PlaybackError>, _ start: (VLCPlayback) -> Void) {
        guard let probe, !isOver else { return }
        self.probe = nil
        switch result {
        case .success(let content):
            self.content = content
            if case .medium = content { probe.handOver() }
            monitor = nil
            // For a new stream, libVLC's demuxer requests the playlist.
            if machine.timeline != nil { readPlaylist() }
            start(self)
        case .failure(let error): perform { $0.unreachable(error, at: $1) }
        }
    }

    /// - Parameter url: the new address; `nil` if there is none.
    func readdress(to url: URL?) {
        if let url { address = url }
        perform { $0.readdressed(to: url, at: $1) }
    }

    func readPlaylist() {
        guard case .stream(let stream) = content else { return receive(.presentation(nil), at: now) }
        let token = Token()
        monitorToken = token
        monitor = PlaylistMonitor(stream, after: machine.timeline) { [weak engine, generation] result in
            engine?.perform(on: generation) { playback in
                if playback.monitorToken === token { playback.playlistRead(result) }
            }
        }
    }

    private func playlistRead(_ result: Result<HLSTimeline?, PlaybackError>) {
        switch result {
        case .success(let timeline): receive(.presentation(timeline), at: now)
        case .failure(let error): perform { $0.unreachable(error, at: $1) }
        }
    }
}
#endif
