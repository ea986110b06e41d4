import Foundation

extension URL {
    /// Whether a server of the web is asked for it.
    package var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}
