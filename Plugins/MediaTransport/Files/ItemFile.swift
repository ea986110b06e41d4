import Foundation
import Playback

/// Reads small files that belong to an item, such as the images of its thumbnails.
package enum ItemFile {
    /// The time from the request to the last byte.
    private static let timeout = Duration.seconds(15)

    /// Reads a local file or one on a server, with the policies and the header fields of the item.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - item: the item.
    ///   - origin: the file that names the address; `nil` if the host does.
    ///   - limit: the size limit, in bytes.
    /// - Throws: if the policy forbids the address, if the file cannot be read, or if it is too large.
    @concurrent package static func read(
        _ url: URL, of item: PlayerItem, from origin: URL? = nil, upTo limit: Int
    ) async throws(PlaybackError) -> Data {
        if let error = item.securityPolicy.error(for: url, from: origin) { throw error }
        guard url.isFileURL || url.isHTTP else { throw PlaybackError(.unsupportedScheme, url: url) }
        let options = HTTPRequestOptions(item, at: item.url, cookies: CookieJar(), meter: TransferMeter())
        let reader = HTTPReader(url, by: options)
        if let bytes = await reader.whole(upTo: limit, within: timeout) { return Data(bytes) }
        if let error = reader.error { throw error }
        guard reader.position > limit else { throw PlaybackError(.timedOut, url: url) }
        throw PlaybackError(.readFailed, url: url, detail: "The file is larger than \(limit >> 20) MB.")
    }
}
