import Foundation

/// A reserved port of the loopback interface. It refuses connections until a listener opens it.
final class ReservedPort: Sendable {
    let number: Int
    private let descriptor: Int32

    /// - Parameter number: the port, or 0 for a free one.
    init(_ number: Int = 0) throws(FaultServerError) { (descriptor, self.number) = try Self.bind(number) }

    deinit { close(descriptor) }

    /// Returns another socket with the port, which the caller closes.
    func makeSocket() throws(FaultServerError) -> Int32 { try Self.bind(number).descriptor }

    private static func bind(_ number: Int) throws(FaultServerError) -> (descriptor: Int32, number: Int) {
        guard let wanted = UInt16(exactly: number) else {
            throw FaultServerError(description: "\(number) is not a port. Use a number from 0 to 65535.")
        }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw FaultServerError(errno, port: number) }
        // With this option on both sockets, the listener can have the port too, and have it again at once.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Glibc.bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isBound else {
            let error = FaultServerError(errno, port: number)
            close(descriptor)
            throw error
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}
