#if VLC
import MediaTransport
import Foundation
import Playback

// What is at the address of the medium.
extension VLCPlayback {
    var requestOptions: HTTPRequestOptions {
        HTTPRequestOptions(
            retry: request.item.retryPolicy, security: request.item.securityPolicy, cookies: cookies)
    }

    /// Finds out what is at the address, and goes on with that.
    func locate(_ start: @escaping @Sendable (VLCPlayback) -> Void) {
        if let error = MediaPreflight.error(for: address, request.item.securityPolicy) {
            return perform { $0.unreachable(error, at: $1) }
        }
        guard MediaProbe.isNeeded(for: address) else { return start(self) }
        dropDeck()
        let number = deckNumber
        opening = MediaProbe(address, by: requestOptions) { [weak self, queue] result in
            queue.async { [weak self] in
                guard let self, self.deckNumber == number else { return }
                self.take(result, start)
            }
        }
    }

    func take(
        _ result: Result<MediaProbe.Content, PlaybackError>, _ start: (VLCPlayback) -> Void
    ) {
        guard let opening, !isOver else { return }
        self.opening = nil
        switch result {
        case .success(let content):
            self.content = content
            if case .medium = content { opening.handOver() }
            monitor = nil
            // Otherwise libVLC says first whether it is one.
            if machine.timeline != nil { readPlaylist() }
            start(self)
        case .failure(let error): perform { $0.unreachable(error, at: $1) }
        }
    }

    /// How libVLC is told to keep to the bit rate that is wanted.
    var rateOptions: [String] {
        guard let limit = request.item.preferredPeakBitRate else { return [] }
        guard case .stream(let stream) = content, !stream.variants.isEmpty else {
            return [HLSPlaylist.Variant].fixedRate(limit)
        }
        return stream.variants.vlcOptions(upTo: limit)
    }

    /// What libVLC gets from a server by itself could be anything, a playlist too, which it would follow: it is told what to expect.
    var formatOptions: [String] {
        switch address.scheme?.lowercased() {
        case "rtmp": ["demux=avformat"]
        case "rtsp", "rtp", "udp", "srt": ["demux=ts,ps,es,mpgv,mkv,ogg"]
        default: []
        }
    }

    /// The medium is somewhere else now; `nil`: nobody knows where.
    func readdress(to url: URL?) {
        if let url { address = url }
        perform { $0.readdressed(to: url, at: $1) }
    }

    func readPlaylist() {
        guard case .stream(let stream) = content else {
            return receive(.presentation(nil), at: now, deckNumber: deckNumber)
        }
        monitorCount += 1
        let number = monitorCount
        monitor = PlaylistMonitor(stream, after: machine.timeline) { [weak self] result in
            self?.queue.async { [weak self] in
                guard let self, self.monitorCount == number else { return }
                self.take(result)
            }
        }
    }

    func take(_ result: Result<HLSTimeline?, PlaybackError>) {
        switch result {
        // The playlist belongs to the item, whichever deck plays it.
        case .success(let presentation): receive(.presentation(presentation), at: now, deckNumber: deckNumber)
        case .failure(let error): perform { $0.unreachable(error, at: $1) }
        }
    }
}
#endif
