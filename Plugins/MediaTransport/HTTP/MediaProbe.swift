import Foundation
import NetworkThread
import Playback
import Synchronization

/// Finds the kind of an item before an engine opens it. The engine then reads the same response.
package final class MediaProbe: Sendable {
    /// Returns `true` for items from web servers, and for local playlists, which may name web servers.
    package static func isNeeded(for url: URL) -> Bool {
        guard url.isFileURL else { return url.isHTTP }
        let beginning = LocalFile.beginning(of: url, 4096)
        return HTTPHead.isPlaylist(beginning) || HTTPHead.isManifest(beginning)
    }

    /// The content that an engine opens in place of the address.
    package enum Content: Sendable {
        case progressive(HTTPMediaBytes)
        case stream(HLSStream)

        /// The range of loaded data around a position in seconds; `nil` while it is unknown.
        ///
        /// - Parameters:
        ///   - duration: the duration of the item in seconds; `nil` while it is unknown.
        ///   - timeline: the segments of a stream.
        ///   - session: has delivered segments to the engine.
        package func bufferedRange(
            around position: Double, of duration: Double?, _ timeline: HLSTimeline?, _ session: HLSProxySession?
        ) -> ClosedRange<Double>? {
            switch self {
            case .progressive(let bytes): duration.flatMap { bytes.bufferedRange(around: position, of: $0) }
            case .stream:
                session.flatMap { timeline?.bufferedRange(around: position, $0.deliveredParts) }
            }
        }
    }

    /// The size limit of a playlist, in bytes.
    static let playlistLimit = 4 << 20

    private let reader: Mutex<HTTPReader?>

    /// - Parameter completion: called once, on another thread, if the probe still exists.
    package init(
        _ url: URL, by options: HTTPRequestOptions,
        completion: @escaping @Sendable (Result<Content, PlaybackError>) -> Void
    ) {
        let reader = HTTPReader(url, by: options)
        self.reader = Mutex(reader)
        Task(executorPreference: NetworkThread.transport) {
            await reader.opened()
            do throws(PlaybackError) {
                completion(.success(try await Self.content(reader)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    deinit { cancel() }

    /// Cancels the request, unless it was handed over.
    package func cancel() { reader.withLock { $0 }?.cancel() }

    /// The reason why no bytes arrive at the moment, also if a retry follows.
    package var currentError: PlaybackError? { reader.withLock { $0 }?.currentError }

    /// The time since the last byte, if the file must be read to its end before it can be opened.
    package var silence: Duration? { reader.withLock { $0 }?.silence }

    /// Hands the request over to the content.
    package func handOver() { reader.withLock { $0 = nil } }

    private static func content(_ reader: HTTPReader) async throws(PlaybackError) -> Content {
        let url = reader.url
        guard let head = reader.head else {
            let error = reader.error ?? PlaybackError(.connectionFailed, url: url)
            // The server has not even the first byte.
            throw error.httpStatus == 416 ? PlaybackError(.emptyFile, url: url) : error
        }
        let beginning = reader.beginning(playlistLimit)
        let (isManifest, isPlaylist) = (HTTPHead.isManifest(beginning), HTTPHead.isPlaylist(beginning))
        if let error = reader.error, beginning.isEmpty || isPlaylist { throw error }
        if beginning.isEmpty, reader.isWhole { throw PlaybackError(.emptyFile, url: url) }
        guard isManifest || isPlaylist else {
            let layout = reader.isSeekable ? .other : await layout(reader)
            return .progressive(HTTPMediaBytes(reader, stored: try await StoredFile.store(reader, layout), layout))
        }
        defer { reader.cancel() }
        let text = HTTPHead.text(beginning)
        // Other manifests are refused: no audio or video file begins like this, and an engine would open the addresses in it.
        guard reader.isWhole, isManifest ? DASHPlaylists.isManifest(beginning) : text.contains("#EXT-X-") else {
            throw reader.error ?? PlaybackError(.unrecognisedFormat, url: url)
        }
        guard let port = try? await HLSProxyServer.shared.port() else {
            let detail = "The HLS proxy cannot listen on the loopback interface."
            throw PlaybackError(.engineFailed, url: url, detail: detail)
        }
        let stream =
            isManifest
            ? try HLSStream(url: head.url, manifest: beginning, options: reader.options, port: port)
            : HLSStream(url: head.url, playlist: text, options: reader.options, port: port)
        if let error = stream.error { throw error }
        return .stream(stream)
    }

    /// The number of bytes that show the layout of an mp4 file.
    private static let layoutLimit = 1 << 20

    private static func layout(_ reader: HTTPReader) async -> FileLayout {
        await reader.wait { state in
            if let layout = FileLayout(Data(state.beginning(layoutLimit))) { return layout }
            if state.isIdle { return .other }
            return state.buffer.end >= layoutLimit ? .indexAtEnd : nil
        }
    }
}

/// A file on a web server.
package final class HTTPMediaBytes: MediaBytes {
    /// The last reader. The probe's reader is unused until the first call of `open`.
    private let reader: Mutex<(last: HTTPReader, isUsed: Bool)>
    private let stored: StoredFile?
    private let head: HTTPHead?
    private let layout: FileLayout
    package let isSeekable: Bool
    /// `true` for an mp4 file that can only be read in order. Its demuxer cannot read one of the streams later.
    package var isMP4InOrder: Bool { !isSeekable && (layout == .indexAtStart || layout == .fragmented) }
    package var isMatroska: Bool { layout == .matroska }
    /// The demuxer goes back and forth within the buffer. That of AVI and of fragments would look for all indices, and that of a
    /// program stream of unknown size would calculate a wrong duration.
    package var isSeekableNearby: Bool {
        switch layout {
        case .avi, .fragmented: isSeekable
        case .programStream: head?.size != nil
        case .indexAtStart, .indexAtEnd, .matroska, .other: true
        }
    }

    /// - Parameter stored: the whole file, if it has been read already.
    init(_ first: HTTPReader, stored: StoredFile?, _ layout: FileLayout) {
        reader = Mutex((first, false))
        (self.stored, self.layout) = (stored, layout)
        head = first.head
        isSeekable = stored != nil || first.isSeekable
    }

    package var isStation: Bool { head?.isStation == true }

    package var mayBeEndless: Bool { stored == nil && head?.mayBeEndless == true }

    deinit { reader.withLock { if !$0.isUsed { $0.last.cancel() } } }

    /// The error that ended the last reader.
    package var error: PlaybackError? { reader.withLock(\.last).error }

    /// The reason why no bytes arrive at the moment, also if a retry follows.
    package var currentError: PlaybackError? { reader.withLock(\.last).currentError }

    /// Estimates the part that has arrived around a position, in seconds.
    package func bufferedRange(around position: Double, of duration: Double) -> ClosedRange<Double>? {
        stored == nil ? reader.withLock(\.last).bufferedRange(around: position, of: duration) : 0...duration
    }

    package func open() -> (any MediaReader)? {
        if let stored { return stored.open() }
        return reader.withLock { reader in
            if reader.isUsed {
                // An engine asks for the size on a thread that must not wait for the server.
                reader.last = HTTPReader(reader.last.url, by: reader.last.options, knownHead: head)
            }
            reader.isUsed = true
            return reader.last
        }
    }
}
