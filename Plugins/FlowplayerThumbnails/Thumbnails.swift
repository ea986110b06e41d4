import FlowplayerSDK
import Foundation
import Playback

/// Frames of an item at any position, for the seek bar of a view.
///
/// A second player without audio reads each frame, so playback is not disturbed. The newest 200 frames are kept.
///
/// If the host gives the address of WebVTT thumbnails, their images are used instead. The second player reads only the positions
/// that they do not cover.
///
/// ```swift
/// let thumbnails = Thumbnails(of: item)
/// let frame = try await thumbnails[at: 42]
/// ```
@MainActor
public final class Thumbnails {
    /// The number of frames that are kept.
    private static let capacity = 200
    /// Positions in the same fraction of a second have the same frame.
    private static let positionsPerSecond = 25.0

    private let item: PlayerItem
    private let size: VideoSize
    private let images: ThumbnailImages?
    private let allowsNetwork: Bool
    private let clock: any PlaybackClock
    private let makeBackend: () -> any PlaybackBackend
    private var isLive = false
    /// The frames by position, and the positions in the order of their last use.
    private var frames: [Int: VideoFrame] = [:]
    private var order: [Int] = []
    /// The question that is being answered.
    private var current: Task<VideoFrame, any Error>?
    /// Counts the questions. Only the newest one is answered next.
    private var newest = 0

    /// - Parameters:
    ///   - item: the item, with the headers and policies that apply to its playback.
    ///   - size: the size that frames must not exceed, in pixels. Those of WebVTT thumbnails keep their own size.
    ///   - track: the address of WebVTT thumbnails, such as `https://example.org/film.vtt`. Its cues name parts of JPEG or PNG
    ///     images: `sprites.jpg#xywh=160,0,160,90`. The security policy of the item applies to all addresses.
    ///   - allowsNetwork: `true` to read items that are not files. Each frame needs another connection.
    public convenience init(
        of item: PlayerItem, size: (width: Int, height: Int) = (160, 90), track: URL? = nil, allowsNetwork: Bool = false
    ) {
        self.init(of: item, size: size, track: track, allowsNetwork: allowsNetwork, clock: ContinuousClock()) {
            BackendRegistry.makeSilentBackend()
        }
    }

    /// - Parameters:
    ///   - clock: the clock of the timeout.
    ///   - makeBackend: makes an engine, if possible without audio output.
    package init(
        of item: PlayerItem, size: (width: Int, height: Int) = (160, 90), track: URL? = nil,
        allowsNetwork: Bool = false,
        clock: any PlaybackClock, makeBackend: @escaping () -> any PlaybackBackend
    ) {
        self.item = item
        self.size = VideoSize(width: size.width, height: size.height)
        images = track.map { ThumbnailImages($0, of: item) }
        self.allowsNetwork = allowsNetwork
        self.clock = clock
        self.makeBackend = makeBackend
    }

    /// The frame at a position in seconds.
    ///
    /// One question is answered at a time. If several wait, only the newest one is answered, and the others throw
    /// `CancellationError`.
    ///
    /// - Throws: `ThumbnailError`, the `PlaybackError` of the second player, or `CancellationError`.
    public subscript(at seconds: Double) -> VideoFrame {
        get async throws {
            let position = Int((max(0, min(seconds, 1e9)) * Self.positionsPerSecond).rounded())
            newest += 1
            let number = newest
            while let current {
                _ = try? await current.value
                guard number == newest else { throw CancellationError() }
            }
            if let frame = frames[position] {
                use(position)
                return frame
            }
            let question = Task { try await read(position) }
            current = question
            return try await question.value
        }
    }

    private func read(_ position: Int) async throws -> VideoFrame {
        defer { current = nil }
        let seconds = Double(position) / Self.positionsPerSecond
        if let frame = await images?.frame(at: seconds) { return frame }
        guard item.url.isFileURL || allowsNetwork else { throw ThumbnailError.networkNotAllowed }
        guard !isLive else { throw ThumbnailError.liveStream }
        let answer = try await FrameReader.frame(
            of: item, at: seconds, backend: makeBackend(), clock: clock,
            maximumFrameSize: size)
        isLive = answer.playbackType == .live
        guard !isLive else { throw ThumbnailError.liveStream }
        frames[position] = answer.frame
        use(position)
        return answer.frame
    }

    private func use(_ position: Int) {
        order.removeAll { $0 == position }
        order.append(position)
        if order.count > Self.capacity { frames[order.removeFirst()] = nil }
    }
}

/// The reason why there is no thumbnail.
public enum ThumbnailError: Error, Hashable, Sendable {
    /// The item is not a file, and `allowsNetwork` is `false`.
    case networkNotAllowed
    /// The item is a live stream.
    case liveStream
}

extension ThumbnailError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .networkNotAllowed: "The item is not a file. Allow thumbnails over the network."
        case .liveStream: "A live stream has no thumbnails."
        }
    }
}
