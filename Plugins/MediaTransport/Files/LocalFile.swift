import Foundation
import Playback

/// A file of this machine that is read like one on a server.
package struct LocalFile {
    package let size: Int64
    private let version: String

    /// - Throws: why it cannot be read. What is no file would be waited for without end.
    package init(_ url: URL) throws(PlaybackError) {
        if let error = MediaPreflight.error(for: url, .standard) { throw error }
        var status = stat()
        guard stat(url.path(percentEncoded: false), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PlaybackError(.readFailed, url: url)
        }
        size = Int64(status.st_size)
        version = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    /// What a server would say of it in a header field.
    package func field(_ name: String, from start: UInt64) -> String? {
        switch name {
        case "Content-Range": "bytes \(start)-\(max(size, 1) - 1)/\(size)"
        case "Last-Modified": version
        default: nil
        }
    }

    /// What it begins with; empty if it cannot be read.
    package static func beginning(of url: URL) -> Data {
        guard (try? LocalFile(url)) != nil, let file = try? FileHandle(forReadingFrom: url) else { return Data() }
        return (try? file.read(upToCount: 4096)) ?? Data()
    }
}
