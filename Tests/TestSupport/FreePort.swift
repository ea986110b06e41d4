import Synchronization

/// Ports of the loopback interface for servers that cannot choose their own.
///
/// They are below those that the system gives to connections. Otherwise a connection could take the port before its server does.
public enum FreePort {
    private static let last = Atomic(UInt16.random(in: 20_000..<30_000))

    /// - Returns: a port that nobody uses, and that was not returned before.
    public static func next() throws -> UInt16 {
        while true {
            let port = last.add(1, ordering: .relaxed).newValue
            guard port < 32_768 else { throw FixtureError(description: "no port is free") }
            if let server = try? SilentServer(port: port) { return server.port }
        }
    }
}
