import Foundation

/// A `FaultServer` could not start, or an expected request did not arrive.
public struct FaultServerError: LocalizedError, Hashable, CustomStringConvertible {
    /// A sentence with the failure and its remedy.
    public let description: String
    public var errorDescription: String? { description }

    init(description: String) { self.description = description }

    init(_ code: Int32, port: Int) {
        self.init(
            description: code == EADDRINUSE
                ? "Port \(port) is in use. Choose another one, or 0 for a free one."
                : "Port \(port) cannot be opened: \(String(cString: strerror(code))).")
    }
}
