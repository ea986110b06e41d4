import Foundation

extension URL {
    /// `true` for the schemes `http` and `https`.
    package var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }

    /// Returns `true` if scheme, host and port are the same (RFC 6454).
    package func hasOrigin(of other: URL) -> Bool { origin == other.origin }

    /// Scheme, host and port.
    package var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        return "\(scheme)://\(host()?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
