import Foundation
import Playback

/// A local file that is read like one on a server.
package struct LocalFile {
    let size: Int64
    private let version: String

    /// - Throws: an error if it cannot be read, or if it is not a regular file. Reading a pipe would block.
    init(_ url: URL) throws(PlaybackError) {
        if let error = MediaPreflight.error(for: url, .standard) { throw error }
        var status = stat()
        guard stat(url.path(percentEncoded: false), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PlaybackError(.readFailed, url: url)
        }
        size = Int64(status.st_size)
        version = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    /// Returns the header field that a server would send.
    func field(_ name: String, from start: UInt64) -> String? {
        switch name {
        case "Content-Range": "bytes \(start)-\(max(size, 1) - 1)/\(size)"
        case "Last-Modified": version
        default: nil
        }
    }

    /// Opens a file for reading. In a sandbox the host opens it. Blocks for a pipe until another program writes to it.
    package static func open(_ url: URL) -> FileHandle? {
        guard let host = Sandbox.host else { return try? FileHandle(forReadingFrom: url) }
        let descriptor = host.open(url)
        return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Returns the first bytes; none if the file is empty, cannot be read or is not a regular file. Reading a pipe would block.
    package static func beginning(of url: URL, _ count: Int) -> Data {
        guard (try? LocalFile(url)) != nil, let file = open(url) else { return Data() }
        return (try? file.read(upToCount: count)) ?? Data()
    }
}
