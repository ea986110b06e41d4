#if VLC
import CCurl

/// What servers set for one item, for all its requests: some let only those have a segment who have had the playlist.
// Unchecked: curl asks for its locks.
package final class CookieJar: @unchecked Sendable {
    private let jar = HTTPTransfer.isReady ? flowplayer_curl_jar_make() : nil

    package init() {}

    deinit { flowplayer_curl_jar_free(jar) }

    /// What one of the requests has set, the next ones send.
    package func join(_ transfer: UnsafeMutableRawPointer) { flowplayer_curl_jar_join(jar, transfer) }
}
#endif
