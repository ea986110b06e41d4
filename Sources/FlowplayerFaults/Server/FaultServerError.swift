import Foundation

/// Why a `FaultServer` does not start, or why what was waited for did not come.
public struct FaultServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do about it.
    public let description: String

    init(description: String) { self.description = description }

    init(_ code: Int32, port: Int) {
        self.init(
            description: code == EADDRINUSE
                ? "Port \(port) is in use: choose another one, or 0 for one that is free."
                : "Port \(port) cannot be listened on: \(String(cString: strerror(code))).")
    }
}

extension FaultServerError: LocalizedError {
    public var errorDescription: String? { description }
}
