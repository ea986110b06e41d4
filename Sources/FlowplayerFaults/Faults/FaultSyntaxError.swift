import Foundation

/// Why a text is no fault, or no plan.
public struct FaultSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    public let description: String
}

extension FaultSyntaxError: LocalizedError {
    public var errorDescription: String? { description }
}
