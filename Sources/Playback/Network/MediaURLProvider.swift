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
    /// Returns the current address of an item.
    ///
    /// Called off the main actor when a server refuses the item with 401, 403 or 410, before or during playback.
    /// Playback waits within the limits of the item's `RetryPolicy`, and resumes at its position. If the new address is
    /// refused too, before one second has been played and within ten seconds, the item fails. The provider is not asked
    /// again.
    ///
    /// - Parameters:
    ///   - item: the item as it was loaded.
    ///   - error: the server's refusal.
    /// - Returns: an address of the same item. The item's `MediaSecurityPolicy` applies to it.
    /// - Throws: any error if there is no address. The item fails with `error`.
    func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL
}

extension URL {
    /// `true` if a web server provides the address.
    package var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }

    /// Returns `true` if scheme, host and port are the same (RFC 6454).
    package func hasOrigin(of other: URL) -> Bool { origin == other.origin }

    /// Scheme, host and port.
    package var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        return "\(scheme)://\(host()?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
