import Foundation

extension URL {
    /// `true` if a web server provides the address.
    package var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}
