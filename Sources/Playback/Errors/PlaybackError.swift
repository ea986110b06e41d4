import Foundation

/// Why playback failed: the one error that this SDK gives, from whatever layer it comes.
public struct PlaybackError: Error, Codable, Hashable, Sendable {
    /// What went wrong, for programs.
    public let code: PlaybackErrorCode
    /// What failed and what to do about it, in sentences for people.
    public let message: String
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
    public init(_ code: PlaybackErrorCode, url: URL?, httpStatus: Int? = nil, detail: String? = nil) {
        self.code = code
        self.url = url?.redacted
        self.httpStatus = httpStatus
        isRetryable = code.isRetryable || httpStatus.map { $0 == 408 || $0 == 429 || $0 >= 500 } ?? false
        message = [detail ?? code.summary, code.advice].joined(separator: " ")
    }
}

extension PlaybackError {
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
