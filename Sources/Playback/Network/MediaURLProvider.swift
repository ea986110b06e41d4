import Foundation

/// Gives new addresses for media whose addresses expire.
///
/// ```swift
/// struct Signer: MediaURLProvider {
///     func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL {
///         try await portal.sign(item.url.path())
///     }
/// }
///
/// player.urlProvider = Signer()
/// ```
public protocol MediaURLProvider: Sendable {
    /// Where an item is now.
    ///
    /// Called off the main actor when a server refuses the item with 401, 403 or 410: before it has begun, or when more of it is
    /// needed. Playback waits, for as long as the item's `RetryPolicy` lets it, and goes on where it was. If the new address is
    /// refused too, before a second has been played and within ten seconds, the item has failed: nobody is asked twice for the same.
    ///
    /// - Parameters:
    ///   - item: as it was loaded.
    ///   - error: how the server refuses it.
    /// - Returns: an address of the same medium. The item's `MediaSecurityPolicy` holds for it.
    /// - Throws: anything if there is none. The item fails with `error`.
    func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL
}
