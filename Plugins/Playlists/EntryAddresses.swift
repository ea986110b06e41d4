import Foundation

/// Resolves the entries of a list to URLs, and refuses entries that the list may not name.
///
/// A list from a server is not trusted: it can name URLs on servers, but no local files. A list in a file can name both.
struct EntryAddresses {
    /// The notation of entries in a list.
    enum Notation {
        /// A literal path, or a URL (M3U, PLS).
        case path
        /// A URI reference by RFC 3986, with percent encoding (XSPF).
        case uri
    }

    private static let serverSchemes: Set = ["http", "https", "rtsp", "rtmp"]
    /// Schemes without `//` that are never the start of a file name.
    private static let opaqueSchemes: Set = [
        "about", "blob", "data", "javascript", "magnet", "mailto", "spotify", "urn",
    ]
    private static let playlistExtensions: Set = ["m3u", "m3u8", "pls", "xspf", "asx", "wpl"]

    /// The URL of the list.
    let list: URL
    private let notation: Notation

    private var isLocal: Bool { list.isFileURL }

    init(list: URL, notation: Notation) {
        self.list = list.absoluteURL
        self.notation = notation
    }

    /// Separates an entry from the options that some players allow after it, and returns the names of the options.
    ///
    /// An address can have `|User-Agent=x` and ` :network-caching=1`. A path can have only the latter, because `|` is
    /// allowed in file names.
    func cutOptions(of entry: String) -> (entry: String, options: [String]) {
        // Most entries have no options, and this is faster than the expressions below.
        guard ["|", " :", "\t:"].contains(where: { entry.contains($0) }) else { return (entry, []) }
        let isAddress = !isLocal || notation == .uri || entry.contains("://")
        let start =
            isAddress
            ? entry.firstMatch(of: /\|[A-Za-z!][A-Za-z0-9\-]*=|[ \t]+:[a-z][a-z0-9\-]*(?:=|[ \t]|$)/)?.range.lowerBound
            : entry.firstMatch(of: /[ \t]+:[a-z][a-z0-9\-]*=/)?.range.lowerBound
        guard let start else { return (entry, []) }
        let options = entry[start...].split { $0 == " " || $0 == "|" || $0 == "\t" }
        let names = options.map { String($0.prefix { $0 != "=" && $0 != "&" }) }
        return (entry[..<start].trimmingCharacters(in: .whitespaces), names)
    }

    /// The URL of an item. Folders and other playlists are refused. Over HTTP, `.m3u8` is accepted, because it can be HLS.
    func item(_ entry: String, base: URL? = nil) throws(EntryRefusal) -> URL {
        let url = try address(entry, base: base ?? list)
        if url.isFileURL {
            let path = url.path(percentEncoded: false)
            if ["/", "/.", "/.."].contains(where: path.hasSuffix) { throw .folder }
        }
        let suffix = url.pathExtension.lowercased()
        if Self.playlistExtensions.contains(suffix), url.isFileURL || !url.isHTTP || suffix != "m3u8" { throw .nested }
        return url
    }

    /// The URL of an artwork; `nil` if it is not an image file or not allowed.
    func artwork(_ entry: String, base: URL? = nil) -> URL? {
        let trimmed = entry.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let url = try? address(trimmed, base: base ?? list), url.isFileURL || url.isHTTP else { return nil }
        return ["jpg", "jpeg", "png", "gif", "webp", "bmp", "svg"].contains(url.pathExtension.lowercased())
            || (url.isHTTP && url.pathExtension.isEmpty) ? url : nil
    }

    /// The absolute URL of an entry.
    ///
    /// - Parameter base: the base of relative entries.
    func address(_ entry: String, base: URL) throws(EntryRefusal) -> URL {
        guard !entry.isEmpty else { throw .empty }
        guard entry.utf8.count <= Limits.entry else { throw .tooLong }
        guard !entry.utf8.contains(0) else { throw .unreadable }
        if entry.isWindowsPath { throw .windowsPath }
        if let scheme = scheme(of: entry) { return try absolute(entry, scheme: scheme) }
        let isPathHere = base.isFileURL && entry.hasPrefix("/")
        let relative = isPathHere ? entry : entry.replacing("\\", with: "/")
        guard base.isFileURL else {
            return try onServer(URL(string: relative.percentEncoded, relativeTo: base)?.absoluteURL)
        }
        let path = notation == .uri ? relative.percentDecoded : relative
        return try file(path.hasPrefix("/") ? path : base.folderPath + path)
    }

    /// The scheme of an entry in lower case; `nil` for a path.
    private func scheme(of entry: String) -> String? {
        guard let (prefix, rest) = entry.cut(at: ":") else { return nil }
        let scheme = prefix.lowercased()
        guard scheme.first?.isASCIILetter == true,
            scheme.allSatisfy({ $0.isASCIILetter || $0.isASCII && $0.isWholeNumber || "+-.".contains($0) })
        else { return nil }
        // In a local list, `Requiem: Kyrie.flac` is a file name.
        let isName =
            isLocal && notation == .path && scheme != "file" && !Self.serverSchemes.contains(scheme)
            && !Self.opaqueSchemes.contains(scheme) && !rest.hasPrefix("//")
        return isName ? nil : scheme
    }

    private func absolute(_ entry: String, scheme: String) throws(EntryRefusal) -> URL {
        if scheme == "file" {
            guard isLocal else { throw .localFile }
            return try file(uri: entry.dropFirst("file:".count))
        }
        guard Self.serverSchemes.contains(scheme) else { throw .scheme(scheme) }
        return try onServer(URL(string: entry.percentEncoded))
    }

    private func onServer(_ url: URL?) throws(EntryRefusal) -> URL {
        guard let url else { throw .unreadable }
        let scheme = url.scheme?.lowercased() ?? ""
        guard scheme != "file" else { throw .localFile }
        guard Self.serverSchemes.contains(scheme) else { throw .scheme(scheme) }
        guard url.host()?.isEmpty == false else { throw .unreadable }
        return url
    }

    /// - Parameter uri: the part after `file:`. A `?` or `#` is a part of the name, because files have no query.
    private func file(uri: Substring) throws(EntryRefusal) -> URL {
        guard uri.hasPrefix("//") else {
            guard uri.hasPrefix("/") else { throw .unreadable }
            return try file(String(uri).percentDecoded)
        }
        let host = uri.dropFirst(2).prefix { $0 != "/" }
        let path = String(uri[host.endIndex...]).percentDecoded
        if host.isWindowsPath || host.hasPrefix("\\") { throw .windowsPath }
        guard host.isEmpty || host.lowercased() == "localhost" else { throw .otherMachine }
        return try file(path)
    }

    private func file(_ path: String) throws(EntryRefusal) -> URL {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw .unreadable }
        if path.dropFirst().isWindowsPath { throw .windowsPath }
        return URL(filePath: path)
    }
}

extension URL {
    /// The folder of a file, with a trailing slash. Keeps `..`, because the parent of a link is another folder.
    fileprivate var folderPath: String {
        let path = path(percentEncoded: false)
        guard let slash = path.lastIndex(of: "/") else { return "/" }
        return String(path[...slash])
    }
}

extension StringProtocol {
    /// `C:\Music`, `C:/Music`, `\\server\music` or `\Music`.
    fileprivate var isWindowsPath: Bool {
        guard first?.isASCIILetter == true else { return hasPrefix("\\") }
        let rest = dropFirst()
        return rest == ":" || rest.hasPrefix(":\\") || rest.hasPrefix(":/")
    }
}

extension String {
    /// The decoded text. An invalid percent sign stays.
    fileprivate var percentDecoded: String { removingPercentEncoding ?? self }

    /// The text with invalid characters encoded and valid escapes kept. Foundation encodes the percent signs of escapes
    /// too if there is a space. The host stays as it is, for Foundation to encode.
    fileprivate var percentEncoded: String {
        let authority = firstRange(of: "//").map { self[$0.upperBound...].prefix { !"/?#".contains($0) } }
        let start = authority?.endIndex ?? startIndex
        let rest = self[start...].replacing(/%(?![0-9A-Fa-f]{2})/, with: "%25")
        return self[..<start] + (rest.addingPercentEncoding(withAllowedCharacters: .urlCharacters) ?? String(rest))
    }
}

extension CharacterSet {
    /// Reserved or unreserved by RFC 3986, and percent signs. Without brackets, which belong to hosts.
    fileprivate static let urlCharacters = CharacterSet(
        charactersIn: "-._~:/?#@!$&'()*+,;=%0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
}

extension Character {
    fileprivate var isASCIILetter: Bool { isASCII && isLetter }
}

/// The reason why an entry cannot be used.
struct EntryRefusal: Error, Hashable {
    /// One sentence for people.
    let reason: String

    init(_ reason: String) { self.reason = reason }

    static let empty = Self("The entry is empty.")
    static let folder = Self("The entry is a folder.")
    static let localFile = Self("A playlist from a server can't name local files.")
    static let nested = Self("The entry is a playlist within a playlist.")
    static let otherMachine = Self("The file is on another machine.")
    static let tooLong = Self("The entry is too long.")
    static let unreadable = Self("This is not an address that can be read.")
    static let windowsPath = Self("The path is that of a Windows drive.")

    static func scheme(_ scheme: String) -> Self { Self("Addresses with \(scheme.prefix(20)): are not taken.") }
}
