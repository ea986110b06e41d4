#if !canImport(AVFoundation)
import Foundation
import Playback

/// An address with options, from which an `AVPlayerItem` is made.
public struct AVURLAsset: Hashable, Sendable {
    /// The address.
    public let url: URL
    fileprivate let httpHeaders: [String: String]

    /// - Parameters:
    ///   - url: the address.
    ///   - options: `AVURLAssetHTTPHeaderFieldsKey` has the HTTP headers of the requests. Other options have no effect.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        httpHeaders = options?["AVURLAssetHTTPHeaderFieldsKey"] as? [String: String] ?? [:]
    }
}

/// The AVFoundation name of `AVURLAsset`.
public typealias AVAsset = AVURLAsset

extension PlayerItem {
    /// An item at the address of an asset, with its HTTP headers.
    public init(asset: AVURLAsset) {
        self.init(url: asset.url)
        httpHeaders = asset.httpHeaders
    }

    /// The address and the HTTP headers of the item.
    public var asset: AVURLAsset { AVURLAsset(url: url, options: ["AVURLAssetHTTPHeaderFieldsKey": httpHeaders]) }

    /// The AVFoundation name of `maximumResolution`, in pixels; zero for no limit.
    public var preferredMaximumResolution: CGSize {
        get { maximumResolution.map { CGSize(width: $0.width, height: $0.height) } ?? .zero }
        set {
            let sides = [newValue.width, newValue.height].map { Int(exactly: Double($0).rounded()) ?? 0 }
            maximumResolution = sides.allSatisfy { $0 > 0 } ? VideoSize(width: sides[0], height: sides[1]) : nil
        }
    }

    /// `readyToPlay` or `failed` as soon as a player has found that out.
    public typealias Status = MediaPlayer.Status

    /// The status of the item in the player that has it. `unknown` without a player.
    @preconcurrency @MainActor public var status: Status { player.map { Status($0.status(of: self)) } ?? .unknown }

    /// The error of the item; `nil` unless `status` is `failed`.
    @preconcurrency @MainActor public var error: (any Error)? {
        if case .failed(let error) = player?.status(of: self) { error } else { nil }
    }

    /// The duration of the current item; `indefinite` for a live stream, and until the item is ready.
    @preconcurrency @MainActor public var duration: CMTime { currentPlayer?.duration ?? .indefinite }

    /// The position in the current item; zero for another one.
    @preconcurrency @MainActor public func currentTime() -> CMTime { currentPlayer?.position ?? .zero }

    /// The parts of the current item that the engine has received, as `CMTimeRange`; empty for another item.
    @preconcurrency @MainActor public var loadedTimeRanges: [NSValue] {
        (currentPlayer?.bufferedRanges ?? []).map { NSValue(timeRange: CMTimeRange($0)) }
    }

    /// The part of the current item to which a seek can go, as `CMTimeRange`; empty for another item, and until the item is ready.
    @preconcurrency @MainActor public var seekableTimeRanges: [NSValue] {
        guard let snapshot = currentPlayer?.snapshot, snapshot.isReady, snapshot.isSeekable else { return [] }
        let range = snapshot.dvrWindow.map { $0.start...$0.end } ?? snapshot.duration.map { 0...$0 }
        return range.map { [NSValue(timeRange: CMTimeRange($0))] } ?? []
    }

    @MainActor private var currentPlayer: MediaPlayer? {
        player.flatMap { $0.currentItem?.id == id ? $0 : nil }
    }
}

/// `true` if both are the same item, even if its settings differ, or both are `nil`.
public func === (a: PlayerItem?, b: PlayerItem?) -> Bool { a?.id == b?.id }
/// `false` if both are the same item, or both are `nil`.
public func !== (a: PlayerItem?, b: PlayerItem?) -> Bool { a?.id != b?.id }

// MARK: - Notifications

extension Notification.Name {
    /// The AVFoundation name of `PlayerItem.didPlayToEndTimeNotification`.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let AVPlayerItemDidPlayToEndTime = PlayerItem.didPlayToEndTimeNotification
    /// The AVFoundation name of `PlayerItem.failedToPlayToEndTimeNotification`.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let AVPlayerItemFailedToPlayToEndTime = PlayerItem.failedToPlayToEndTimeNotification
}

/// The AVFoundation name of `PlayerItem.failedToPlayToEndTimeErrorKey`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = PlayerItem.failedToPlayToEndTimeErrorKey

extension NotificationCenter {
    /// Adds an observer of the notifications about one item.
    ///
    /// Foundation compares objects by reference, so it would never find an item, which is a value.
    ///
    /// - Parameters:
    ///   - name: the notifications; `nil` for all.
    ///   - item: the item whose notifications are received; `nil` for all notifications.
    ///   - queue: the queue on which the block is called; `nil` for the thread of the post, which is the main thread.
    ///   - block: called with each notification.
    @preconcurrency public func addObserver(
        forName name: Notification.Name?, object item: PlayerItem?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        addObserver(forName: name, object: nil as Any?, queue: queue) { notification in
            if let item, (notification.object as? PlayerItem)?.id != item.id { return }
            block(notification)
        }
    }
}
#endif
