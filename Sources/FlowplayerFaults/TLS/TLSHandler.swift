import COpenSSL
import NIOCore

/// Encrypts one connection with the system's OpenSSL.
///
/// OpenSSL reads from one memory buffer and writes to another. The handler moves the bytes between the buffers and the channel.
final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let session: OpaquePointer
    /// Bytes from the client. The session owns both buffers.
    private let received: OpaquePointer
    /// Bytes to the client.
    private let sent: OpaquePointer

    init(_ certificate: TLSCertificate) throws {
        let context = SSL_CTX_new(TLS_server_method())
        // The session keeps the context.
        defer { SSL_CTX_free(context) }
        guard let context, Self.load(certificate, into: context), let session = SSL_new(context),
            let received = BIO_new(BIO_s_mem()), let sent = BIO_new(BIO_s_mem())
        else { throw FaultServerError(description: "OpenSSL does not accept the test certificate.") }
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
        file.withUnsafeBytes { bytes in
            let buffer = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { BIO_free(buffer) }
            return read(buffer)
        }
    }

    // MARK: From the client

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        bytes.readWithUnsafeReadableBytes { Int(BIO_write(received, $0.baseAddress, Int32($0.count))) }
        var plain = context.channel.allocator.buffer(capacity: 1 << 14)
        var count: Int32 = 0
        // The first reads perform the handshake.
        repeat {
            plain.clear()
            ERR_clear_error()
            plain.writeWithUnsafeMutableBytes(minimumWritableBytes: 1 << 14) { space in
                count = SSL_read(session, space.baseAddress, Int32(space.count))
                return Int(max(0, count))
            }
            if count > 0 { context.fireChannelRead(wrapInboundOut(plain)) }
        } while count > 0
        let isOver = SSL_get_error(session, count) != SSL_ERROR_WANT_READ
        send(context, promise: nil)
        context.flush()
        if isOver { context.close(promise: nil) }
    }

    // MARK: To the client

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var bytes = unwrapOutboundIn(data)
        bytes.readWithUnsafeReadableBytes { plain in
            plain.isEmpty ? 0 : Int(max(0, SSL_write(session, plain.baseAddress, Int32(plain.count))))
        }
        send(context, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        SSL_shutdown(session)
        send(context, promise: nil)
        context.flush()
        context.close(mode: mode, promise: promise)
    }

    /// Sends what the session has encrypted.
    private func send(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        let count = BIO_ctrl_pending(sent)
        guard count > 0 else {
            promise?.succeed()
            return
        }
        var bytes = context.channel.allocator.buffer(capacity: count)
        bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            Int(BIO_read(sent, space.baseAddress, Int32(count)))
        }
        context.write(wrapOutboundOut(bytes), promise: promise)
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
