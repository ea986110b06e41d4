import Foundation
import Playback
import Synchronization

/// A named pipe, which is read once, from the first byte to the last.
package struct NamedPipe: MediaBytes {
    private let path: String
    package let isSeekable = false

    /// - Returns: `nil` if the file is no pipe, or in a sandbox, whose host would wait for the writer.
    package init?(_ url: URL) {
        var status = stat()
        path = url.path(percentEncoded: false)
        guard Sandbox.host == nil, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    }

    package func open() -> (any MediaReader)? { PipeReader(path) }
}

/// Waits for the writer of a pipe, and reads until it closes the pipe.
private final class PipeReader: MediaReader {
    let size: UInt64? = nil
    private let file: FileHandle
    /// `cancel` closes its input.
    private let cancellation = Pipe()

    /// - Returns: `nil` if the pipe cannot be read.
    init?(_ path: String) {
        // Otherwise the call waits for the writer.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            var files = [file, cancellation.fileHandleForReading].map {
                pollfd(fd: $0.fileDescriptor, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&files, nfds_t(files.count), -1) >= 0 || errno == EINTR else { return nil }
            if files[1].revents != 0 { return nil }
            guard files[0].revents != 0 else { continue }
            let count = Glibc.read(file.fileDescriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EAGAIN || errno == EINTR else { return nil }
        }
    }

    func seek(to offset: UInt64) -> Bool { false }

    func cancel() { try? cancellation.fileHandleForWriting.close() }
}
