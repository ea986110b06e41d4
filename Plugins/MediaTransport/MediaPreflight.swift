import Foundation
import Playback

/// Finds items that cannot be played before an engine opens them. Engines do not report the reason.
package enum MediaPreflight {
    /// Returns the reason why an item cannot be opened; `nil` if there is none so far.
    package static func error(for url: URL, _ security: MediaSecurityPolicy) -> PlaybackError? {
        // No policy allows other schemes.
        let beyond = MediaSecurityPolicy.standard.error(for: url)
        if let error = security.error(for: url) ?? beyond { return error }
        guard url.isFileURL else { return missingServer(of: url) }
        let path = url.path(percentEncoded: false)
        var status = stat()
        // The file is not opened, because the writer of a pipe would notice that.
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            let number = errno
            return PlaybackError(code(forErrno: number), url: url, cause: String(cString: strerror(number)))
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return PlaybackError(.isDirectory, url: url)
        case S_IFREG where status.st_size == 0: return PlaybackError(.emptyFile, url: url)
        // Reading one, such as `/dev/zero`, may never end.
        case S_IFCHR: return PlaybackError(.unrecognisedFormat, url: url, detail: "This is a device, not a file.")
        default: return nil
        }
    }

    /// The schemes of addresses that need a server. With UDP, the host may be missing.
    private static let serverSchemes: Set<String> = ["http", "https", "rtmp", "rtsp", "srt"]

    private static func missingServer(of url: URL) -> PlaybackError? {
        guard serverSchemes.contains(url.scheme?.lowercased() ?? ""), url.host()?.isEmpty ?? true else { return nil }
        return PlaybackError(.hostNotFound, url: url, detail: "The address names no server.")
    }

    private static func code(forErrno errno: Int32) -> PlaybackErrorCode {
        switch errno {
        case ENOENT, ENOTDIR, ENAMETOOLONG: .fileNotFound
        case EACCES, EPERM: .permissionDenied
        default: .readFailed
        }
    }
}

extension PlaybackError {
    /// The detail of the error for DRM.
    static let protection = "The stream is encrypted for DRM, which is not supported."

    static func protected(_ url: URL) -> PlaybackError {
        PlaybackError(.noPlayableStream, url: url, detail: protection)
    }

    /// Creates the error of a connection. Its summary names the host.
    package static func unreachable(_ code: PlaybackErrorCode, url: URL, cause: String) -> PlaybackError {
        let host = url.host() ?? ""
        let detail: String? =
            switch code {
            case .hostNotFound: "Unknown host \(host)."
            case .connectionRefused: "\(host)\(url.port.map { ":\($0)" } ?? "") refused the connection."
            case .tlsFailed: "The secure connection to \(host) failed."
            default: nil
            }
        return PlaybackError(code, url: url, detail: detail, cause: cause)
    }
}
