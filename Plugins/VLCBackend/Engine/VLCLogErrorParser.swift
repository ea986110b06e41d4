import Foundation
import Playback

/// Finds the reason for a failure in libVLC's log. libVLC reports it nowhere else.
struct VLCLogErrorParser {
    private var lines: [(line: VLCLogLine, time: Duration)] = []
    private static let capacity = 20

    /// Keeps the line if it can explain a failure.
    mutating func add(_ line: VLCLogLine, at time: Duration) {
        guard Self.httpStatus(in: line.message) != nil || Self.patterns.contains(where: { line.contains($0.0) }) else {
            return
        }
        if lines.count == Self.capacity { lines.removeFirst() }
        lines.append((line, time))
    }

    mutating func clear() { lines = [] }

    /// Returns the reason in the log since a time, or `nil` without one.
    func error(for url: URL, since beginning: Duration = .zero) -> PlaybackError? {
        let lines = lines.filter { $0.time >= beginning }.map(\.line)
        for line in lines {
            if let status = Self.httpStatus(in: line.message) {
                return PlaybackError(httpStatus: status, url: url)
            }
        }
        for (pattern, code) in Self.patterns {
            guard let line = lines.first(where: { $0.contains(pattern) }) else { continue }
            return PlaybackError(code, url: url, detail: Self.detail(code, url), cause: line.message)
        }
        return nil
    }

    /// The patterns, the most specific first.
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
        case .hostNotFound: return "Unknown host \(host)."
        case .connectionRefused: return "\(host)\(url.port.map { ":\($0)" } ?? "") refused the connection."
        default: return nil
        }
    }
}

extension VLCLogLine {
    fileprivate func contains(_ pattern: String) -> Bool { message.localizedCaseInsensitiveContains(pattern) }
}
