import Foundation

/// Reads a folder as a list of the media files in it.
enum FolderReader {
    private static let depthLimit = 32
    static let mediaExtensions: Set = [
        // Sound.
        "aac", "ac3", "aif", "aiff", "alac", "amr", "ape", "au", "caf", "dts", "eac3", "flac", "m4a", "m4b", "mka",
        "mp2",
        "mp3", "mpc", "oga", "ogg", "opus", "spx", "tta", "wav", "wma", "wv",
        // Pictures that move.
        "3g2", "3gp", "asf", "avi", "dv", "f4v", "flv", "m2ts", "m2v", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
        "mxf", "ogm", "ogv", "rm", "rmvb", "ts", "vob", "webm", "wmv",
    ]

    /// - Parameter recursive: whether sub-folders are read too, after the files beside them. Links to folders are not
    ///   followed: they may lead in a circle.
    static func read(_ folder: URL, recursive: Bool, into builder: inout PlaylistBuilder) throws(PlaylistError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        else {
            throw PlaylistError(.unreadable, url: folder, detail: "The folder could not be read.")
        }
        builder.title = folder.lastPathComponent
        read(names, in: folder, depth: recursive ? depthLimit : 0, into: &builder)
    }

    /// As people count: `2` before `10`, and case last.
    static func ordered(_ names: [String]) -> [String] {
        names.sorted { a, b in
            switch a.localizedStandardCompare(b) {
            case .orderedAscending: true
            case .orderedDescending: false
            case .orderedSame: a < b
            }
        }
    }

    private static func read(_ names: [String], in folder: URL, depth: Int, into builder: inout PlaylistBuilder) {
        var folders: [URL] = []
        for name in ordered(names.filter { !$0.hasPrefix(".") }) {
            let url = folder.appending(path: name, directoryHint: .notDirectory)
            let isMedium = mediaExtensions.contains(url.pathExtension.lowercased())
            switch FileKind(at: url) {
            case .file where isMedium:
                guard builder.takesEntry(line: nil) else { return }
                builder.add(url, details: .init(), artwork: nil)
            case .folder where !FileKind.isLink(url): folders.append(url)
            case nil where isMedium: builder.skip(name, line: nil, because: EntryRefusal("The link leads nowhere."))
            default: break
            }
        }
        guard depth > 0 else { return }
        for folder in folders {
            if let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) {
                read(names, in: folder, depth: depth - 1, into: &builder)
            } else {
                let reason = EntryRefusal("The folder could not be read.")
                builder.skip(folder.lastPathComponent, line: nil, because: reason)
            }
        }
    }
}
