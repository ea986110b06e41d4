import Foundation
import Playback

/// Finds what cannot be played before libVLC sees it: libVLC would play a directory as an empty list, and tells of
/// nothing why it failed.
package enum MediaPreflight {
    /// The schemes that the backend plays.
    package static let schemes = MediaSecurityPolicy.mediaSchemes

    /// Why the medium cannot be opened; `nil` if that is not known yet.
    package static func error(for url: URL, _ security: MediaSecurityPolicy) -> PlaybackError? {
        // Others than these are never given to libVLC, whatever the policy.
        let beyond = MediaSecurityPolicy.standard.error(for: url)
        if let error = security.error(for: url) ?? beyond { return error }
        guard url.isFileURL else { return nil }
        let path = url.path(percentEncoded: false)
        var status = stat()
        // Not opened: who writes into a pipe would be told that its reader is gone.
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            let number = errno
            return PlaybackError(code(forErrno: number), url: url, cause: String(cString: strerror(number)))
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return PlaybackError(.isDirectory, url: url)
        case S_IFREG where status.st_size == 0: return PlaybackError(.emptyFile, url: url)
        default: return nil
        }
    }

    private static func code(forErrno errno: Int32) -> PlaybackErrorCode {
        switch errno {
        case ENOENT, ENOTDIR, ENAMETOOLONG: .fileNotFound
        case EACCES, EPERM: .permissionDenied
        default: .readFailed
        }
    }
}
