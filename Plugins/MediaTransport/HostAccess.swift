import Foundation
import Playback
import Synchronization

/// Opens files and connections for an engine in a sandbox, which may open neither.
package protocol HostAccess: Sendable {
    /// Opens a file for reading. Blocks.
    ///
    /// - Returns: a descriptor, which the caller closes, or the negative number of an error (`errno`).
    func open(_ file: URL) -> Int32

    /// Connects to a server.
    ///
    /// - Returns: the descriptor of a socket, which the caller closes.
    func connect(to server: Server, within seconds: Double) async throws(ConnectionFailure) -> Int32
}

/// The host name and port of a server.
package struct Server: Codable, Hashable, Sendable {
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }
}

/// The reason why there is no connection to a server.
package struct ConnectionFailure: Error, Codable, Hashable, Sendable {
    package let code: PlaybackErrorCode
    package let cause: String

    package init(code: PlaybackErrorCode, cause: String) { (self.code, self.cause) = (code, cause) }
}

/// The sandbox of this process.
package enum Sandbox {
    private static let state = Mutex<(any HostAccess)?>(nil)

    /// The host's access to files and servers; `nil` if this process has its own.
    package static var host: (any HostAccess)? { state.withLock(\.self) }

    /// Call it before this process reads anything.
    package static func enter(_ host: any HostAccess) { state.withLock { $0 = host } }
}
