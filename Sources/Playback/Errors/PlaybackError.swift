import Foundation

/// The reason why playback failed. All layers of this SDK report this type.
public struct PlaybackError: Error, Codable, Hashable, Sendable {
    /// The kind of error, for programs.
    public let code: PlaybackErrorCode
    /// A sentence that describes the failure. `message` adds the attempts and the advice.
    public let summary: String
    /// The original report of the system, the network or the engine, or `nil`. Its addresses have no credentials and no query.
    public let cause: String?
    /// The attempts before the error was reported.
    public private(set) var tried: [RecoveryAttempt] = []
    /// The item's address, without credentials and query.
    public let url: String?
    /// The HTTP status of the server's refusal, if there is one.
    public let httpStatus: Int?
    /// `true` if the same request may succeed later.
    public let isRetryable: Bool

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of error.
    ///   - url: the item's address. The error keeps it without credentials and query.
    ///   - httpStatus: the status of the server's refusal. 408, 429 and 5xx make the error retryable.
    ///   - detail: a sentence that replaces the code's summary.
    ///   - cause: the report of a lower layer. The error keeps its addresses without credentials and query.
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

    /// The summary, the attempts and the advice, as sentences for the user.
    public var message: String { ([summary] + tried.map(\.sentence) + [advice]).joined(separator: " ") }

    /// A sentence that recommends a remedy.
    public var advice: String {
        if code == .invalidAccessToken { return code.advice }
        return switch httpStatus {
        case 401, 403: "Check whether the address needs a login or has expired."
        case 404, 410: "Check the address."
        case 408, 429: "Try again later."
        case let status? where status >= 500: "Try again later."
        default: code.advice
        }
    }

    /// Returns this error with a failed attempt added to `tried`.
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
    /// `true` if the address may have expired: the status is 401, 403 or 410.
    public var suggestsExpiry: Bool { httpStatus.map([401, 403, 410].contains) ?? false }

    /// Creates the error for a server's refusal. RTSP has the statuses of HTTP.
    package init(httpStatus status: Int, url: URL) {
        self.init(.httpStatus, url: url, httpStatus: status, detail: Self.sentence(forStatus: status, of: url))
    }

    private static func sentence(forStatus status: Int, of url: URL) -> String {
        let sentence =
            switch status {
            case 401, 403: "The server denied access"
            case 404, 410: "The server has no such file"
            case 500...: "The server reported an error"
            default: "The server refused the request"
            }
        return "\(sentence) (\(url.isHTTP ? "HTTP" : "status") \(status))."
    }
}

extension PlaybackError: LocalizedError {
    public var errorDescription: String? { message }
}
