import Foundation

/// Turns what stands in a list into addresses, and refuses what the list may not name.
///
/// A list from a server is a stranger's: it names addresses on servers and nothing on this machine. A list in a file
/// may name files as well.
struct EntryAddresses {
    /// How a list writes its entries.
    enum Notation {
        /// A path, each character of which stands for itself, or an address (M3U, PLS).
        case path
        /// An address by RFC 3986, with percent signs that mean something (XSPF).
        case uri
    }

    private static let lengthLimit = 16 << 10
    private static let serverSchemes: Set = ["http", "https", "rtsp", "rtmp"]
    /// Schemes that stand without `//`, and are no beginning of a file's name.
    private static let opaqueSchemes: Set = [
        "about", "blob", "data", "javascript", "magnet", "mailto", "spotify", "urn",
    ]
    private static let playlistExtensions: Set = ["m3u", "m3u8", "pls", "xspf", "asx", "wpl"]

    /// Where the list is.
    let list: URL

    var isLocal: Bool { list.isFileURL }

    init(list: URL) { self.list = list.absoluteURL }

    /// The address of a medium. Folders and other playlists are refused; over HTTP, `.m3u8` may be HLS and is a medium.
    func medium(_ entry: String, as notation: Notation, base: URL? = nil) throws(EntryRefusal) -> URL {
        let url = try address(entry, as: notation, base: base ?? list)
        if url.isFileURL {
            let last =
                url.path(percentEncoded: false).split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            if ["", ".", ".."].contains(last) { throw .folder }
        }
        let suffix = url.pathExtension.lowercased()
        if Self.playlistExtensions.contains(suffix), url.isFileURL || !url.isHTTP || suffix != "m3u8" { throw .nested }
        return url
    }

    /// The address of a picture; `nil` if there is none that can be had.
    func picture(_ entry: String, as notation: Notation, base: URL) -> URL? {
        let trimmed = entry.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let url = try? address(trimmed, as: notation, base: base), url.isFileURL || url.isHTTP else { return nil }
        return ["jpg", "jpeg", "png", "gif", "webp", "bmp", "svg"].contains(url.pathExtension.lowercased())
            || (url.isHTTP && url.pathExtension.isEmpty) ? url : nil
    }

    /// The whole address that an entry stands for.
    ///
    /// - Parameter base: what a relative one is relative to.
    func address(_ entry: String, as notation: Notation, base: URL) throws(EntryRefusal) -> URL {
        guard !entry.isEmpty else { throw .empty }
        guard entry.utf8.count <= Self.lengthLimit else { throw .tooLong }
        guard !entry.utf8.contains(0) else { throw .unreadable }
        if entry.isWindowsPath { throw .windowsPath }
        if let scheme = scheme(of: entry, as: notation) {
            return try absolute(entry, scheme: scheme)
        }
        let isPathHere = base.isFileURL && entry.hasPrefix("/")
        let relative = isPathHere ? entry : entry.replacing("\\", with: "/")
        guard base.isFileURL else {
            guard let url = URL(string: relative.percentEncoded, relativeTo: base)?.absoluteURL else {
                throw .unreadable
            }
            return try onServer(url)
        }
        let path = notation == .uri ? relative.percentDecoded : relative
        return try file(path.hasPrefix("/") ? path : base.folderPath + path)
    }

    /// The scheme of an entry, in lower case; `nil` if it is a path.
    private func scheme(of entry: String, as notation: Notation) -> String? {
        guard let colon = entry.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = entry[..<colon].lowercased()
        guard scheme.first?.isASCIILetter == true,
            scheme.allSatisfy({ $0.isASCIILetter || $0.isASCII && $0.isWholeNumber || "+-.".contains($0) })
        else { return nil }
        // Here a file may be called `Requiem: Kyrie.flac`.
        let isName =
            isLocal && notation == .path && scheme != "file" && !Self.serverSchemes.contains(scheme)
            && !Self.opaqueSchemes.contains(scheme) && !entry[colon...].hasPrefix("://")
        return isName ? nil : scheme
    }

    private func absolute(_ entry: String, scheme: String) throws(EntryRefusal) -> URL {
        if scheme == "file" {
            guard isLocal else { throw .localFile }
            return try file(uri: entry.dropFirst("file:".count))
        }
        guard Self.serverSchemes.contains(scheme) else { throw .scheme(scheme) }
        guard let url = URL(string: entry.percentEncoded) else { throw .unreadable }
        return try onServer(url)
    }

    private func onServer(_ url: URL) throws(EntryRefusal) -> URL {
        let scheme = url.scheme?.lowercased() ?? ""
        guard scheme != "file" else { throw .localFile }
        guard Self.serverSchemes.contains(scheme) else { throw .scheme(scheme) }
        guard url.host()?.isEmpty == false else { throw .unreadable }
        return url
    }

    /// - Parameter uri: what follows `file:`. A `?` or `#` in it is a part of the name: files have no queries.
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
    /// A file's folder, with a slash at its end. `..` stays in paths, since it need not lead back through a link.
    fileprivate var folderPath: String {
        let path = path(percentEncoded: false)
        guard let slash = path.lastIndex(of: "/") else { return "/" }
        return String(path[...slash])
    }
}

extension StringProtocol {
    /// `C:\Music`, `C:/Music`, `\\server\music` or `\Music`.
    fileprivate var isWindowsPath: Bool {
        if hasPrefix("\\") { return true }
        let start = Array(utf8.prefix(3))
        guard start.count > 1, Character(UnicodeScalar(start[0])).isASCIILetter, start[1] == UInt8(ascii: ":") else {
            return false
        }
        return start.count == 2 || start[2] == UInt8(ascii: "\\") || start[2] == UInt8(ascii: "/")
    }
}

extension String {
    /// A percent sign that means nothing stands for itself.
    fileprivate var percentDecoded: String { removingPercentEncoding ?? self }

    /// As an address: what may not stand in one is encoded, and what is encoded already stays. Foundation alone would
    /// encode the percent signs too as soon as there is a single space. The host is left to it.
    fileprivate var percentEncoded: String {
        let authority = firstRange(of: "//").map { self[$0.upperBound...].prefix { !"/?#".contains($0) } }
        let start = authority?.endIndex ?? startIndex
        let rest = Array(self[start...].utf8)
        var encoded: [UInt8] = []
        for (index, byte) in rest.enumerated() {
            let isEscape = byte == UInt8(ascii: "%") && rest[(index + 1)...].prefix(2).filter(\.isHexDigit).count == 2
            if isEscape || byte.isAddressCharacter {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), Self.hexDigits[Int(byte >> 4)], Self.hexDigits[Int(byte & 15)]]
            }
        }
        return self[..<start] + String(decoding: encoded, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { Character(UnicodeScalar(self)).isHexDigit }

    /// Unreserved or reserved by RFC 3986, but for the brackets, which belong to hosts.
    fileprivate var isAddressCharacter: Bool {
        let character = Character(UnicodeScalar(self))
        return character.isASCII
            && (character.isLetter || character.isNumber || "-._~:/?#@!$&'()*+,;=".contains(character))
    }
}

extension Character {
    fileprivate var isASCIILetter: Bool { isASCII && isLetter }
}
