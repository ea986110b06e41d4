import Foundation

/// Why playback failed: the one error that this SDK gives, from whatever layer it comes.
public struct PlaybackError: Error, Codable, Hashable, Sendable {
    /// The error's stable identity, for programs.
    public let code: PlaybackErrorCode
    /// A description in one sentence; `message` says more.
    public let summary: String
    /// The text of the system call, the network or the engine, for diagnosis; `nil` if there is none. Addresses in it
    /// have no credentials and no query.
    public let cause: String?
    /// The recovery attempts before the failure was reported; empty if there were none.
    public private(set) var tried: [RecoveryAttempt] = []
    /// The item's address without credentials and query.
    public let url: String?
    /// The HTTP status with which a server refused; `nil` where none did.
    public let httpStatus: Int?
    /// `true` if the same request may succeed later.
    public let isRetryable: Bool

    /// - Parameters:
    ///   - code: the error's identity.
    ///   - url: the address of the item; kept without credentials and query.
    ///   - httpStatus: the status with which a server refused. 408, 429 and 5xx make the error retryable.
    ///   - detail: a sentence that replaces the summary of the code.
    ///   - cause: the text of a lower layer; addresses in it are kept without credentials and query.
    public init(
        _ code: PlaybackErrorCode, url: URL?, httpStatus: Int? = nil, detail: String? = nil, cause: String? = nil
    ) {
        self.code = code
        self.url = url?.redacted
        self.httpStatus = httpStatus
        self.cause = cause?.withRedactedAddresses
        isRetryable = code.isRetryable || httpStatus.map { $0 == 408 || $0 == 429 || $0 >= 500 } ?? false
        summary = detail ?? code.summary
    }

    /// The failure, the recovery attempts and the advice, in sentences.
    public var message: String { ([summary] + tried.map(\.sentence) + [advice]).joined(separator: " ") }

    /// An action for the user, in one sentence.
    public var advice: String {
        switch httpStatus {
        case 401, 403: "Check whether it needs a login, and whether the address has expired."
        case 404, 410: "Check the address."
        case 408, 429: "Try again later."
        case let status? where status >= 500: "Try again later."
        default: code.advice
        }
    }

    /// A copy with one more recovery attempt.
    public func after(_ attempt: RecoveryAttempt) -> PlaybackError {
        var error = self
        if let last = tried.last, let both = last.together(with: attempt) {
            error.tried[tried.count - 1] = both
        } else {
            error.tried.append(attempt)
        }
        return error
    }
}

extension PlaybackError {
    /// `true` if a server refuses a request that it may have granted before: 401, 403 or 410.
    public var suggestsExpiry: Bool { httpStatus.map([401, 403, 410].contains) ?? false }

    /// A server's refusal.
    package init(httpStatus status: Int, url: URL) {
        self.init(.httpStatus, url: url, httpStatus: status, detail: Self.sentence(forStatus: status))
    }

    private static func sentence(forStatus status: Int) -> String {
        switch status {
        case 401, 403: "The server does not allow it (HTTP status \(status))."
        case 404, 410: "The server has no such file (HTTP status \(status))."
        case 500...: "The server reported an error (HTTP status \(status))."
        default: "The server refused the request (HTTP status \(status))."
        }
    }
}

extension PlaybackError: LocalizedError {
    public var errorDescription: String? { message }
}
