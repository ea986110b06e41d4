#if VLC
import Foundation
import Playback
import Synchronization

/// Finds out what is at an address before libVLC gets to see it.
package final class MediaProbe: Sendable {
    /// Whether that has to be found out: of what comes over the web, and of lists on this machine, which may lead there.
    package static func isNeeded(for url: URL) -> Bool {
        guard url.isFileURL else { return url.isHTTP }
        let beginning = LocalFile.beginning(of: url)
        return HTTPHead.isPlaylist(beginning) || HTTPHead.isMarkup(beginning)
    }

    /// What libVLC is given in place of the address.
    package enum Content: Sendable {
        case medium(HTTPMediaBytes)
        case stream(HLSStream)
    }

    /// In bytes.
    package static let playlistLimit = 4 << 20

    private let reader: Mutex<HTTPReader?>

    /// - Parameter completion: called once, on another thread, unless the opening goes first.
    package init(
        _ url: URL, by access: HTTPRequestOptions,
        completion: @escaping @Sendable (Result<Content, PlaybackError>) -> Void
    ) {
        reader = Mutex(nil)
        let reader = HTTPReader(url, by: access) { reader in
            Task { completion(await Self.content(reader, url, access)) }
        }
        self.reader.withLock { $0 = reader }
    }

    deinit { cancel() }

    /// Lets go of the connection, unless it belongs to a medium by now.
    package func cancel() { reader.withLock { $0 }?.cancel() }

    /// Why nothing comes, also where it is still being tried.
    package var trouble: PlaybackError? { reader.withLock { $0 }?.trouble }

    /// The medium has the connection.
    package func handOver() { reader.withLock { $0 = nil } }

    private static func content(
        _ reader: HTTPReader, _ url: URL, _ access: HTTPRequestOptions
    ) async -> Result<Content, PlaybackError> {
        guard let head = reader.facts else {
            let error = reader.error ?? PlaybackError(.connectionFailed, url: url)
            // Not even the first byte is there.
            return .failure(error.httpStatus == 416 ? PlaybackError(.emptyFile, url: url) : error)
        }
        let beginning = reader.beginning(playlistLimit)
        if let error = reader.error, beginning.isEmpty || HTTPHead.isPlaylist(beginning) {
            return .failure(error)
        }
        if beginning.isEmpty, reader.isWhole { return .failure(PlaybackError(.emptyFile, url: url)) }
        // Of media, none begins like this; libVLC would take it for a playlist and go where that leads.
        if HTTPHead.isMarkup(beginning) { return .failure(PlaybackError(.unrecognisedFormat, url: url)) }
        if HTTPHead.isPlaylist(beginning) {
            reader.cancel()
            let text = HTTPHead.text(beginning)
            guard reader.isWhole, text.contains("#EXT-X-") else {
                return .failure(PlaybackError(.unrecognisedFormat, url: url))
            }
            guard let port = try? await HLSProxyServer.shared.port else {
                let detail = "There is no way to listen on the loopback interface, which HLS needs."
                return .failure(PlaybackError(.engineFailed, url: url, detail: detail))
            }
            let stream = HLSStream(url: head.url, playlist: text, access: access, port: port)
            return stream.error.map { .failure($0) } ?? .success(.stream(stream))
        }
        return .success(.medium(HTTPMediaBytes(url, by: access, first: reader)))
    }
}

/// A medium on a server of the web.
package final class HTTPMediaBytes: MediaBytes {
    private let url: URL
    private let access: HTTPRequestOptions
    /// What found it, until somebody reads.
    private let first: Mutex<HTTPReader?>
    private let last: Mutex<HTTPReader?>
    package let isSeekable: Bool

    package init(_ url: URL, by access: HTTPRequestOptions, first: HTTPReader) {
        self.url = url
        self.access = access
        self.first = Mutex(first)
        last = Mutex(first)
        isSeekable = first.isSeekable
    }

    deinit { first.withLock { $0 }?.cancel() }

    /// Why the last reader got no further.
    package var error: PlaybackError? { last.withLock { $0 }?.error }

    /// Why nothing comes, also where it is still being tried.
    package var trouble: PlaybackError? { last.withLock { $0 }?.trouble }

    package func open() -> (any MediaReader)? {
        let first = first.withLock { reader in
            defer { reader = nil }
            return reader
        }
        let reader = first ?? HTTPReader(url, by: access)
        last.withLock { $0 = reader }
        return reader
    }
}
#endif
