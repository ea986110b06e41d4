import BenchmarkSupport
import Foundation
import Measuring

/// The certificate of 127.0.0.1, and the programs that trust it.
struct TLSAuthority {
    private static let bundle = "/etc/ssl/certs/ca-certificates.crt"
    let certificate: String
    let key: String

    /// - Parameter folder: receives the certificate and its key.
    init(in folder: URL) async throws {
        try checkInstalled(["stunnel": "stunnel4", "openssl": "openssl", "unshare": "util-linux"])
        guard FileManager.default.fileExists(atPath: Self.bundle) else {
            throw Failure(description: "\(Self.bundle) is missing. Install with: apt-get install ca-certificates")
        }
        guard try await Command("unshare", ["--mount", "true"]).run().status == 0 else {
            throw Failure(description: "only root can replace the authorities that a program trusts")
        }
        certificate = folder.appending(path: "certificate.pem").path()
        key = folder.appending(path: "key.pem").path()
        try await output(
            of: "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                "-out", certificate,
            ])
    }

    /// Returns a command that runs a program. This authority is the only one that the program trusts.
    func trusting(_ command: [String]) -> [String] {
        let script = "mount --bind \"$0\" \(Self.bundle) && exec \"$@\""
        return ["unshare", "--mount", "sh", "-c", script, certificate] + command
    }
}

/// A TLS server that forwards the bytes to another port: stunnel.
struct TLSProxy {
    let port: UInt16
    private let program: RunningCommand

    init(to server: UInt16, with authority: TLSAuthority, in folder: URL) async throws {
        let (socket, port) = try DistantServer.listen()
        close(socket)
        self.port = port
        let options = """
            foreground = yes
            pid =
            debug = err
            [tls]
            accept = 127.0.0.1:\(port)
            connect = 127.0.0.1:\(server)
            cert = \(authority.certificate)
            key = \(authority.key)

            """
        let file = folder.appending(path: "stunnel.conf")
        try options.write(to: file, atomically: true, encoding: .utf8)
        program = try await Command("stunnel", [file.path()]).start()
        guard await eventually(within: .seconds(10), { Self.accepts(port) }) else {
            program.signal(SIGTERM)
            throw Failure(description: "stunnel does not listen. \(try await program.result.errors)")
        }
    }

    func stop() async throws {
        program.signal(SIGTERM)
        _ = try await program.result
    }

    /// stunnel reports nothing once it listens. A connection without a handshake does not reach the server.
    private static func accepts(_ port: UInt16) -> Bool {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
