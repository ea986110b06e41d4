import Foundation

/// The addresses that an untrusted item may open.
///
/// Every address is checked before an engine opens it: the item's own, and those to which servers and playlists lead.
public struct MediaSecurityPolicy: Codable, Hashable, Sendable {
    /// The schemes of addresses that may be opened, in lower case.
    ///
    /// Remove schemes from the default set, `mediaSchemes`. The engines refuse an item with any other scheme, such as
    /// `ftp`, with `unsupportedScheme`, also if it is in this set.
    public var allowedSchemes: Set<String>
    /// `true` if an item from the network may name local files.
    public var allowsLocalFilesFromNetwork: Bool

    /// - Parameters:
    ///   - allowedSchemes: in lower case.
    ///   - allowsLocalFilesFromNetwork: `true` if an item from the network may name local files.
    public init(allowedSchemes: Set<String> = Self.mediaSchemes, allowsLocalFilesFromNetwork: Bool = false) {
        self.allowedSchemes = allowedSchemes
        self.allowsLocalFilesFromNetwork = allowsLocalFilesFromNetwork
    }

    /// Files, and the network's ways of carrying media. Never devices, screens, discs or what an engine makes up.
    public static let mediaSchemes: Set<String> = ["file", "http", "https", "rtsp", "rtmp", "rtp", "udp", "srt"]

    /// The default.
    public static let standard = MediaSecurityPolicy()

    /// HTTPS and nothing else.
    public static let httpsOnly = MediaSecurityPolicy(allowedSchemes: ["https"])

    /// Why an address must not be opened; `nil` if it may be.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - origin: where it was named; `nil` if the host named it.
    public func error(for url: URL, from origin: URL? = nil) -> PlaybackError? {
        let scheme = url.scheme?.lowercased() ?? ""
        let isLocalFromNetwork = url.isFileURL && origin?.isFileURL == false
        if allowedSchemes.contains(scheme), !isLocalFromNetwork || allowsLocalFilesFromNetwork { return nil }
        guard let origin else {
            return PlaybackError(
                .unsupportedScheme, url: url, detail: "Addresses that start with \(scheme): are not supported.")
        }
        return PlaybackError(
            .addressForbidden, url: origin,
            detail: "The stream refers to an address that starts with \(scheme):, which is not allowed.")
    }
}
