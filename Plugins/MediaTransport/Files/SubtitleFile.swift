import Foundation
import Playback

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A file with texts as libVLC is given it: a local one, and looked at before.
///
/// libVLC skips what is missing without a word, takes garbage for a track, and stands still while a server is slow.
package final class SubtitleFile: Sendable {
    private static let byteLimit = 10 << 20
    private static let timeout = Duration.seconds(10)

    package let url: URL
    private let isTemporary: Bool

    private init(url: URL, isTemporary: Bool) {
        self.url = url
        self.isTemporary = isTemporary
    }

    deinit {
        if isTemporary { try? FileManager.default.removeItem(at: url) }
    }

    /// Reads or fetches it, as far as the policy of its item allows.
    package static func prepare(
        _ subtitle: ExternalSubtitle, allowedBy policy: MediaSecurityPolicy
    ) async throws(Unusable) -> SubtitleFile {
        guard policy.error(for: subtitle.url) == nil else {
            throw Unusable(subtitle, "its address is not allowed")
        }
        guard !subtitle.url.isFileURL else {
            // A named pipe would be waited for without end.
            guard (try? LocalFile(subtitle.url)) != nil,
                let handle = try? FileHandle(forReadingFrom: subtitle.url),
                let beginning = try? handle.read(upToCount: byteLimit)
            else { throw Unusable(subtitle, "it cannot be read") }
            try check(beginning, subtitle)
            return SubtitleFile(url: subtitle.url, isTemporary: false)
        }
        let data = try await fetch(subtitle, allowedBy: policy)
        try check(data, subtitle)
        let name = "flowplayer-\(UUID().uuidString).\(isWebVTT(data) ? "vtt" : "srt")"
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        guard (try? data.write(to: file)) != nil else { throw Unusable(subtitle, "there is no place to keep it") }
        return SubtitleFile(url: file, isTemporary: true)
    }

    private static func fetch(
        _ subtitle: ExternalSubtitle, allowedBy policy: MediaSecurityPolicy
    ) async throws(Unusable) -> Data {
        guard subtitle.url.isHTTP else {
            throw Unusable(subtitle, "its address is neither a file nor http: or https:")
        }
        let answer: HTTPFetch.Answer
        do {
            answer = try await HTTPFetch.answer(
                to: URLRequest(url: subtitle.url), upTo: byteLimit, within: timeout, redirects: .allowed(by: policy))
        } catch {
            switch error {
            case .tooLong: throw Unusable(subtitle, "it is larger than 10 MB")
            case .network(let reason):
                throw Unusable(subtitle, reason.prefix(1).lowercased() + reason.dropFirst().dropLast())
            }
        }
        guard (200..<300).contains(answer.status) else {
            throw Unusable(subtitle, "the server answered with status \(answer.status)")
        }
        return answer.body
    }

    private static func check(_ data: Data, _ subtitle: ExternalSubtitle) throws(Unusable) {
        guard isText(data) else { throw Unusable(subtitle, "it is neither SRT nor WebVTT") }
    }

    /// Whether it can be a text, so far as its bytes say; libVLC reads what is in it.
    package static func isText(_ data: Data) -> Bool {
        isWebVTT(data) || data.firstRange(of: Data("-->".utf8)) != nil || isUTF16(data)
    }

    private static func isWebVTT(_ data: Data) -> Bool {
        let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        return text.starts(with: Data("WEBVTT".utf8))
    }

    private static func isUTF16(_ data: Data) -> Bool {
        data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
    }

    /// Why a text cannot be shown.
    package struct Unusable: Error {
        package let notice: PlaybackNotice

        package init(_ subtitle: ExternalSubtitle, _ reason: some StringProtocol) {
            notice = PlaybackNotice(
                code: "subtitleUnavailable", message: "The subtitles \(subtitle.name) cannot be shown: \(reason).")
        }
    }
}
