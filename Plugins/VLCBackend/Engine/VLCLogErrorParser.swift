import Foundation
import MediaTransport
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
            return .unreachable(code, url: url, cause: line.message)
        }
        return nil
    }

    /// Parts of messages in lower case, the most specific one first.
    private static let patterns: [(String, PlaybackErrorCode)] = [
        ("cannot resolve", .hostNotFound),
        ("connection refused", .connectionRefused),
        ("tls session handshake error", .tlsFailed),
        ("connection failure", .connectionFailed),
        ("connection failed", .connectionFailed),
        ("cannot connect", .connectionFailed),
        ("(no such file or directory)", .fileNotFound),
        ("(permission denied)", .permissionDenied),
        ("could not identify the audio or video codec", .unrecognisedFormat),
        ("could not decode the format", .unsupportedCodec),
    ]

    private static func httpStatus(in message: String) -> Int? {
        let words = message.split(separator: " ", maxSplits: 3)
        guard words.count >= 3, words[0] == "HTTP", words[1].count == 3, words[2].hasPrefix("error") else { return nil }
        return Int(words[1])
    }
}

extension VLCLogLine {
    // Without a locale, which would load ICU for the first line of a process.
    fileprivate func contains(_ pattern: String) -> Bool { message.lowercased().contains(pattern) }
}
