import COpenSSL
import Foundation

/// Encrypts one connection with the system's OpenSSL, which reads from one memory buffer and writes to another.
final class TLSSession {
    private let session: OpaquePointer
    /// Bytes from the client. The session owns both buffers.
    private let received: OpaquePointer
    /// Bytes to the client.
    private let sent: OpaquePointer

    init(_ certificate: TLSCertificate) {
        let context = SSL_CTX_new(TLS_server_method())
        // The session keeps the context.
        defer { SSL_CTX_free(context) }
        guard let context, Self.load(certificate, into: context), let session = SSL_new(context),
            let received = BIO_new(BIO_s_mem()), let sent = BIO_new(BIO_s_mem())
        else { preconditionFailure("OpenSSL does not accept the test certificate.") }
        SSL_set_bio(session, received, sent)
        SSL_set_accept_state(session)
        (self.session, self.received, self.sent) = (session, received, sent)
    }

    deinit { SSL_free(session) }

    private static func load(_ certificate: TLSCertificate, into context: OpaquePointer) -> Bool {
        let chain = parse(certificate.file) { PEM_read_bio_X509($0, nil, nil, nil) }
        let key = parse(PackageResources.serverKey_pem) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
        defer {
            X509_free(chain)
            EVP_PKEY_free(key)
        }
        return SSL_CTX_use_certificate(context, chain) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1
    }

    private static func parse(_ file: [UInt8], _ read: (OpaquePointer?) -> OpaquePointer?) -> OpaquePointer? {
        let buffer = BIO_new_mem_buf(file, Int32(file.count))
        defer { BIO_free(buffer) }
        return read(buffer)
    }

    /// Decrypts bytes of the client. The first ones are its handshake.
    ///
    /// - Returns: `nil` if the client has closed the session, or the handshake has failed.
    func decrypt(_ bytes: [UInt8]) -> [UInt8]? {
        BIO_write(received, bytes, Int32(bytes.count))
        var plain: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        ERR_clear_error()
        var count = SSL_read(session, &buffer, Int32(buffer.count))
        while count > 0 {
            plain += buffer.prefix(Int(count))
            count = SSL_read(session, &buffer, Int32(buffer.count))
        }
        let isOver = SSL_get_error(session, count) != SSL_ERROR_WANT_READ
        return isOver && plain.isEmpty ? nil : plain
    }

    func encrypt(_ bytes: Data) -> Data {
        _ = bytes.withUnsafeBytes { SSL_write(session, $0.baseAddress, Int32($0.count)) }
        return takeOutput()
    }

    /// Returns the message that ends the session.
    func farewell() -> Data {
        SSL_shutdown(session)
        return takeOutput()
    }

    /// Returns what has to be sent to the client.
    func takeOutput() -> Data {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(sent))
        BIO_read(sent, &bytes, Int32(bytes.count))
        return Data(bytes)
    }
}

extension TLSCertificate {
    fileprivate var file: [UInt8] {
        switch self {
        case .trusted: PackageResources.trusted_pem
        case .selfSigned: PackageResources.selfSigned_pem
        case .expired: PackageResources.expired_pem
        case .otherHost: PackageResources.otherHost_pem
        }
    }
}
