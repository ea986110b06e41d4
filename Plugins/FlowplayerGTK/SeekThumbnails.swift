#if GTK
import FlowplayerSDK
import Foundation
import Playback
import FlowplayerThumbnails

/// The frames above the seek bar.
///
/// Each item has its own `Thumbnails`, which are made when the pointer is first over the bar. A live stream, an item without video
/// and an item whose thumbnails have failed have none.
@MainActor
final class SeekThumbnails {
    /// `true` if items that are not files have frames too.
    var allowsNetwork = false {
        didSet { current = nil }
    }
    /// Returns the address of the WebVTT thumbnails of an item.
    var track: (@MainActor (PlayerItem) -> URL?)? {
        didSet { current = nil }
    }

    private let player: FlowplayerView
    private var current: (item: PlayerItem, thumbnails: Thumbnails?)?

    init(_ player: FlowplayerView) { self.player = player }

    /// Reads the frame at a position in seconds.
    ///
    /// - Parameter show: called with the frame, or with `nil` if the item has none. Not called if a newer position replaces this one.
    func read(at seconds: Double, _ show: @escaping @MainActor (VideoFrame?) -> Void) {
        let snapshot = player.snapshot
        guard let item = snapshot.item?.source, !item.isDeferred, snapshot.hasVideo, snapshot.dvrWindow == nil else {
            return show(nil)
        }
        if current?.item != item {
            current = (item, Thumbnails(of: item, track: track?(item), allowsNetwork: allowsNetwork))
            show(nil)
        }
        guard let thumbnails = current?.thumbnails else { return show(nil) }
        Task { [weak self] in
            do {
                let frame = try await thumbnails[at: seconds]
                if self?.current?.thumbnails === thumbnails { show(frame) }
            } catch is CancellationError {
                // The newer position is answered.
            } catch {
                guard let self, current?.thumbnails === thumbnails else { return }
                current?.thumbnails = nil
                show(nil)
            }
        }
    }
}

extension PlayerSnapshot {
    /// `false` if there is nothing whose frames could be shown. `true` while it is not known.
    var hasVideo: Bool {
        item != nil && (tracks.map { !$0.video.isEmpty } ?? true || suppression.contains(.adBreak))
    }
}
#endif
