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

extension PlaybackError: LocalizedError {
    public var errorDescription: String? { message }
}
