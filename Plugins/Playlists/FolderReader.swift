import Foundation

/// Reads a folder as a list of the media files in it.
enum FolderReader {
    private static let mediaExtensions: Set = [
        // Audio.
        "aac", "ac3", "aif", "aiff", "alac", "amr", "ape", "au", "caf", "dts", "eac3", "flac", "m4a", "m4b", "mka",
        "mp2", "mp3", "mpc", "oga", "ogg", "opus", "spx", "tta", "wav", "wma", "wv",
        // Video.
        "3g2", "3gp", "asf", "avi", "dv", "f4v", "flv", "m2ts", "m2v", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
        "mxf", "ogm", "ogv", "rm", "rmvb", "ts", "vob", "webm", "wmv",
    ]

    /// - Parameter recursive: `true` to read sub-folders too, after the files beside them. Links to folders are skipped,
    ///   because they can be circular.
    static func read(_ folder: URL, recursive: Bool) throws(PlaylistError) -> Playlist {
        var builder = PlaylistBuilder(list: folder, format: .folder)
        builder.title = folder.lastPathComponent
        guard read(folder, depth: recursive ? Limits.depth : 0, into: &builder) else {
            throw PlaylistError(.unreadable, url: folder, detail: "The folder could not be read.")
        }
        return builder.playlist
    }

    /// - Returns: `false` if the folder cannot be read.
    private static func read(_ folder: URL, depth: Int, into builder: inout PlaylistBuilder) -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        else { return false }
        var folders: [URL] = []
        for name in ordered(names.filter { !$0.hasPrefix(".") }) {
            let url = folder.appending(path: name, directoryHint: .notDirectory)
            let isMedia = mediaExtensions.contains(url.pathExtension.lowercased())
            switch FileKind(at: url) {
            case .file where isMedia:
                guard builder.takesEntry(line: nil) else { return true }
                builder.add(url)
            case .folder where FileKind(at: url, followsLinks: false) != .link: folders.append(url)
            case nil where isMedia: builder.report("The link leads nowhere.", name)
            default: break
            }
        }
        for folder in folders where depth > 0 {
            if !read(folder, depth: depth - 1, into: &builder) {
                builder.report("The folder could not be read.", folder.lastPathComponent)
            }
        }
        return true
    }

    /// The names in natural order: `2` before `10`, upper and lower case together.
    private static func ordered(_ names: [String]) -> [String] {
        names.sorted { a, b in
            let order = a.localizedStandardCompare(b)
            return order == .orderedSame ? a < b : order == .orderedAscending
        }
    }
}

/// The kind of a file.
enum FileKind {
    case file, folder, link
    /// A pipe, a socket or a device. To open it can block.
    case other

    /// `nil` if there is no file.
    init?(at url: URL, followsLinks: Bool = true) {
        var status = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard fstatat(AT_FDCWD, url.path(percentEncoded: false), &status, flags) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .link
        default: self = .other
        }
    }
}
