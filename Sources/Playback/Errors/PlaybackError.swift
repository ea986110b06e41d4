import Foundation

/// Why playback failed: the one error that this SDK gives, from whatever layer it comes.
public struct PlaybackError: Error, Codable, Hashable, Sendable {
    /// What went wrong, for programs.
    public let code: PlaybackErrorCode
    /// What went wrong, in one sentence for people; `message` says more.
    public let summary: String
    /// What a system call, the network or the engine said of it, for those who look into it; `nil` where nothing did. Addresses in
    /// it are without credentials and query.
    public let cause: String?
    /// What was done about it before it was told; empty if nothing was.
    public private(set) var tried: [PlaybackRemedy] = []
    /// The medium's address without credentials and query.
    public let url: String?
    /// The HTTP status with which a server refused; `nil` where none did.
    public let httpStatus: Int?
    /// Whether the same request may succeed if it is made again later.
    public let isRetryable: Bool

    /// - Parameters:
    ///   - code: what went wrong.
    ///   - url: what was to be played; kept without credentials and query.
    ///   - httpStatus: the status with which a server refused. 408, 429 and 5xx make the error retryable.
    ///   - detail: what is known beyond the code's own summary, as a sentence.
    ///   - cause: what a lower layer said; addresses in it are kept without credentials and query.
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

    /// What failed, what was tried and what to do about it, in sentences for people.
    public var message: String { ([summary] + tried.map(\.sentence) + [advice]).joined(separator: " ") }

    /// What a person can do, in one sentence.
    public var advice: String {
        switch httpStatus {
        case 401, 403: "Check whether it needs a login, and whether the address has expired."
        case 404, 410: "Check the address."
        case 408, 429: "Try again later."
        case let status? where status >= 500: "Try again later."
        default: code.advice
        }
    }

    /// The same, after something was done about it in vain.
    public func after(_ remedy: PlaybackRemedy) -> PlaybackError {
        var error = self
        if let last = tried.last, let both = last.together(with: remedy) {
            error.tried[tried.count - 1] = both
        } else {
            error.tried.append(remedy)
        }
        return error
    }
}

extension PlaybackError {
    /// Whether a server refuses what it may have given before: 401, 403 or 410.
    public var suggestsExpiry: Bool { httpStatus.map([401, 403, 410].contains) ?? false }

    /// A server's refusal.
    package init(httpStatus status: Int, url: URL) {
        self.init(.httpStatus, url: url, httpStatus: status, detail: Self.sentence(forStatus: status))
    }

    private static func sentence(forStatus status: Int) -> String {
        switch status {
        case 401, 403: "The server does not allow it (HTTP status \(status))."
        case 404, 410: "The server has no such medium (HTTP status \(status))."
        case 500...: "The server has a problem of its own (HTTP status \(status))."
        default: "The server refused the request (HTTP status \(status))."
        }
    }
}

extension PlaybackError: LocalizedError {
    public var errorDescription: String? { message }
}
