import Foundation
import Playback

/// Finds the reason of a failure in what libVLC logged before it: libVLC tells it nowhere else.
struct VLCLogErrorParser {
    private var complaints: [(line: VLCLogLine, time: Duration)] = []
    private static let capacity = 20

    /// Keeps the line if it can be a reason.
    mutating func add(_ line: VLCLogLine, at time: Duration) {
        guard Self.httpStatus(in: line.message) != nil || Self.patterns.contains(where: { line.says($0.0) }) else {
            return
        }
        if complaints.count == Self.capacity { complaints.removeFirst() }
        complaints.append((line, time))
    }

    mutating func clear() { complaints = [] }

    /// The reason that the log gives since a time, or `nil` if it gives none.
    func error(for url: URL, since beginning: Duration = .zero) -> PlaybackError? {
        let lines = complaints.filter { $0.time >= beginning }.map(\.line)
        for line in lines {
            if let status = Self.httpStatus(in: line.message) {
                return PlaybackError(httpStatus: status, url: url)
            }
        }
        for (pattern, code) in Self.patterns {
            guard let line = lines.first(where: { $0.says(pattern) }) else { continue }
            return PlaybackError(code, url: url, detail: Self.detail(code, url), cause: line.message)
        }
        return nil
    }

    /// In the order of trust: what is said first explains what is said later.
    private static let patterns: [(String, PlaybackErrorCode)] = [
        ("cannot resolve", .hostNotFound),
        ("Connection refused", .connectionRefused),
        ("TLS session handshake error", .tlsFailed),
        ("connection failure", .connectionFailed),
        ("connection failed", .connectionFailed),
        ("cannot connect", .connectionFailed),
        ("(No such file or directory)", .fileNotFound),
        ("(Permission denied)", .permissionDenied),
        ("could not identify the audio or video codec", .unrecognisedFormat),
        ("could not decode the format", .unsupportedCodec),
    ]

    private static func httpStatus(in message: String) -> Int? {
        guard let match = message.firstMatch(of: /^HTTP (\d{3}) error/) else { return nil }
        return Int(match.1)
    }

    private static func detail(_ code: PlaybackErrorCode, _ url: URL) -> String? {
        let host = url.host() ?? ""
        switch code {
        case .hostNotFound: return "The host \(host) is unknown."
        case .connectionRefused: return "\(host)\(url.port.map { ":\($0)" } ?? "") refused the connection."
        default: return nil
        }
    }
}

extension VLCLogLine {
    fileprivate func says(_ pattern: String) -> Bool { message.localizedCaseInsensitiveContains(pattern) }
}
