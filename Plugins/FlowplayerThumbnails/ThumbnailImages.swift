import Foundation
import Images
import MediaTransport
import Playback

/// Frames from the images of a thumbnail track.
///
/// The track and its images are read when they are needed. They are not requested again after a failure.
@MainActor
final class ThumbnailImages {
    /// The size limit of an image file, in bytes.
    private static let byteLimit = 16 << 20
    /// The number of decoded images that are kept. A pointer near the border of two needs both.
    private static let capacity = 2

    private let item: PlayerItem
    private let url: URL
    /// `nil` until the track has been requested.
    private var request: Task<ThumbnailTrack?, Never>?
    /// The newest one is the last.
    private var images: [(url: URL, frame: VideoFrame)] = []
    private var unreadable: Set<URL> = []

    /// - Parameters:
    ///   - url: the address of the track.
    ///   - item: the item, with the headers and policies that apply to the track and its images.
    init(_ url: URL, of item: PlayerItem) { (self.url, self.item) = (url, item) }

    /// Returns the frame at a position in seconds; `nil` if the track has none.
    func frame(at seconds: Double) async -> VideoFrame? {
        guard let cue = await track?.cue(at: seconds), let image = await image(cue.image) else { return nil }
        guard let area = cue.area else { return image }
        return image.part(x: area.x, y: area.y, width: area.width, height: area.height)
    }

    private var track: ThumbnailTrack? {
        get async {
            if let request { return await request.value }
            let (url, item) = (url, item)
            let request = Task { await Self.track(url, of: item) }
            self.request = request
            return await request.value
        }
    }

    private func image(_ image: URL) async -> VideoFrame? {
        if let index = images.firstIndex(where: { $0.url == image }) {
            images.append(images.remove(at: index))
            return images.last?.frame
        }
        guard !unreadable.contains(image) else { return nil }
        guard let frame = await Self.frame(image, of: item, from: url) else {
            unreadable.insert(image)
            return nil
        }
        images.append((image, frame))
        if images.count > Self.capacity { images.removeFirst() }
        return frame
    }

    // MARK: Reading, away from the main actor

    @concurrent private nonisolated static func track(_ url: URL, of item: PlayerItem) async -> ThumbnailTrack? {
        let data = try? await ItemFile.read(url, of: item, upTo: ThumbnailTrack.byteLimit)
        return data.flatMap { ThumbnailTrack(String(decoding: $0, as: UTF8.self), url: url) }
    }

    @concurrent private nonisolated static func frame(
        _ image: URL, of item: PlayerItem, from url: URL
    ) async -> VideoFrame? {
        let data = try? await ItemFile.read(image, of: item, from: url, upTo: byteLimit)
        return data.flatMap { VideoFrame(imageData: $0) }
    }
}
