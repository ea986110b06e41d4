import Foundation

// The playback of an item. Items are values, so they ask the player that has them.
extension PlayerItem {
    /// Posted when the item has played to its end, after the event `state`. The object is the item.
    public static let didPlayToEndTimeNotification = Notification.Name("AVPlayerItemDidPlayToEndTimeNotification")
    /// Posted when the item has failed, after the event `state`. The object is the item.
    public static let failedToPlayToEndTimeNotification = Notification.Name(
        "AVPlayerItemFailedToPlayToEndTimeNotification")
    /// The key of the `PlaybackError` in the `userInfo` of `failedToPlayToEndTimeNotification`.
    public static let failedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"

    @MainActor
    func post(_ event: PlayerEvent, error: PlaybackError?) {
        switch event {
        case .state(.complete):
            NotificationCenter.default.postWatched(name: Self.didPlayToEndTimeNotification, object: self)
        case .state(.failure):
            NotificationCenter.default.postWatched(
                name: Self.failedToPlayToEndTimeNotification, object: self,
                userInfo: error.map { [Self.failedToPlayToEndTimeErrorKey: $0] })
        default: break
        }
    }

    /// The player that has opened the item or preloads it; `nil` if there is none.
    @MainActor
    package var player: MediaPlayer? {
        MediaPlayer.all.first { $0.currentItem?.id == id } ?? MediaPlayer.all.first { $0.status(of: self) != .unknown }
    }
}

extension MediaPlayer {
    private static var references: [Weak<MediaPlayer>] = []

    /// All players, the newest last.
    fileprivate static var all: [MediaPlayer] { references.compactMap(\.value) }

    static func register(_ player: MediaPlayer) {
        references.removeAll { $0.value == nil }
        references.append(Weak(player))
    }

    static func unregister(_ player: MediaPlayer) { references.removeAll { $0.value === player } }
}
