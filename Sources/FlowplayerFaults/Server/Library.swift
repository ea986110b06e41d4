import Foundation

/// The files of a server.
struct Library: Sendable {
    private enum Place {
        /// All files of a folder, or one of them.
        case folder(URL, file: String?)
        case memory([String: Data])
    }

    /// The size of the largest file that is read, in bytes. A larger one is mapped, and must not become shorter while it is sent.
    private static let readLimit = 64 << 20

    private let place: Place

    /// - Throws: `CocoaError` if there is no file or folder.
    init(_ url: URL) throws {
        var isFolder: ObjCBool = false
        guard url.isFileURL,
            FileManager.default.fileExists(atPath: url.path(percentEncoded: false), isDirectory: &isFolder)
        else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSURLErrorKey: url])
        }
        let url = url.standardizedFileURL
        place =
            isFolder.boolValue
            ? .folder(url, file: nil) : .folder(url.deletingLastPathComponent(), file: url.lastPathComponent)
    }

    init(_ files: [String: Data]) {
        place = .memory(
            Dictionary(files.map { ($0.hasPrefix("/") ? $0 : "/" + $0, $1) }, uniquingKeysWith: { $1 }))
    }

    /// The sorted paths of all files. Each starts with `/`.
    var paths: [String] {
        switch place {
        case .folder(_, let file?): return ["/" + file]
        case .folder(let folder, nil):
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
            return names.map { "/" + $0 }.filter { location(of: $0).flatMap(size) != nil }.sorted()
        case .memory(let files): return files.keys.sorted()
        }
    }

    /// Returns the content of a file. The path starts with `/`.
    func data(at path: String) -> Data? {
        if case .memory(let files) = place { return files[path] }
        guard let url = location(of: path), let size = size(of: url) else { return nil }
        return try? Data(contentsOf: url, options: size > Self.readLimit ? .alwaysMapped : [])
    }

    /// The size of a file in bytes; `nil` if it cannot be read.
    private func size(of url: URL) -> Int? {
        let file = url.path(percentEncoded: false)
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(file, R_OK) == 0 else { return nil }
        return Int(status.st_size)
    }

    /// Returns the file URL of a path, even if no file exists there.
    func address(of path: String) -> URL {
        location(of: path) ?? URL(filePath: path)
    }

    private func location(of path: String) -> URL? {
        guard case .folder(let folder, let file) = place else { return nil }
        let components = path.split(separator: "/")
        let name = components.joined(separator: "/")
        guard !components.contains(".."), !path.hasSuffix("/"), !path.contains("\0") else { return nil }
        return file == nil || file == name ? folder.appending(path: name) : nil
    }
}
