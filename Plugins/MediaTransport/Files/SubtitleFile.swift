import Foundation
import Playback

/// A subtitle file for an engine: local, and checked.
///
/// Engines ignore a missing file, show a track for invalid content, and block while a server is slow.
package final class SubtitleFile: Sendable {
    private static let byteLimit = 10 << 20
    /// For a server that sends slowly. The time limits of the policy come first.
    private static let timeout = Duration.seconds(60)

    package let url: URL
    private let isTemporary: Bool

    private init(url: URL, isTemporary: Bool) {
        self.url = url
        self.isTemporary = isTemporary
    }

    deinit {
        if isTemporary { try? FileManager.default.removeItem(at: url) }
    }

    /// Reads a local file, or loads one from a server.
    ///
    /// - Parameter origin: the stream that names the file; `nil` if the host did.
    package static func prepare(
        _ subtitle: ExternalSubtitle, by options: HTTPRequestOptions, from origin: URL? = nil
    ) async throws(Unusable) -> SubtitleFile {
        guard options.security.error(for: subtitle.url, from: origin) == nil else {
            throw Unusable(subtitle, "its address is not allowed")
        }
        let isLocal = subtitle.url.isFileURL
        let data = isLocal ? LocalFile.beginning(of: subtitle.url, byteLimit) : try await fetch(subtitle, by: options)
        guard !isLocal || !data.isEmpty else { throw Unusable(subtitle, "it cannot be read") }
        guard isText(data) else { throw Unusable(subtitle, "it is neither SRT nor WebVTT") }
        // An engine in a sandbox cannot read the user's files.
        guard !isLocal || Sandbox.host != nil else { return SubtitleFile(url: subtitle.url, isTemporary: false) }
        let name = "flowplayer-\(UUID().uuidString).\(isWebVTT(data) ? "vtt" : "srt")"
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        guard (try? data.write(to: file)) != nil else { throw Unusable(subtitle, "it cannot be stored") }
        return SubtitleFile(url: file, isTemporary: true)
    }

    private static func fetch(
        _ subtitle: ExternalSubtitle, by options: HTTPRequestOptions
    ) async throws(Unusable) -> Data {
        guard subtitle.url.isHTTP else {
            throw Unusable(subtitle, "its address is neither a file nor http: or https:")
        }
        let reader = HTTPReader(subtitle.url, by: options)
        if let bytes = await reader.whole(upTo: byteLimit, within: timeout) { return Data(bytes) }
        guard let error = reader.error else {
            let isTooLong = reader.position > byteLimit
            throw Unusable(subtitle, isTooLong ? "it is larger than 10 MB" : "the server did not answer in time")
        }
        if let status = error.httpStatus { throw Unusable(subtitle, "the server answered with status \(status)") }
        let reason = HTTPFetch.reason(for: error.code)
        throw Unusable(subtitle, reason.prefix(1).lowercased() + reason.dropFirst().dropLast())
    }

    /// Returns `true` if the data looks like subtitles. An engine parses them.
    static func isText(_ data: Data) -> Bool {
        isWebVTT(data) || data.firstRange(of: Data("-->".utf8)) != nil || isUTF16(data)
    }

    private static func isWebVTT(_ data: Data) -> Bool {
        let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        return text.starts(with: Data("WEBVTT".utf8))
    }

    private static func isUTF16(_ data: Data) -> Bool {
        data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
    }

    /// The reason why subtitles cannot be shown.
    package struct Unusable: Error {
        package let notice: PlaybackNotice

        init(_ subtitle: ExternalSubtitle, _ reason: some StringProtocol) {
            notice = PlaybackNotice(
                code: "subtitleUnavailable", message: "The subtitles \(subtitle.name) cannot be shown: \(reason).")
        }
    }
}
