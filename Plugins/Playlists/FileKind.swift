import Foundation

/// What is at a path, links followed.
enum FileKind {
    case file
    case folder
    /// A pipe, a socket or a device: to open it may wait without end.
    case other

    /// `nil` if there is nothing.
    init?(at url: URL) {
        var status = stat()
        guard stat(url.path(percentEncoded: false), &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        default: self = .other
        }
    }

    static func isLink(_ url: URL) -> Bool {
        var status = stat()
        return lstat(url.path(percentEncoded: false), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
