import FlowplayerSDK
import Foundation
import MediaTransport
import Playback

/// The addresses that start a session of a `MediaDAI`, with macros.
///
/// ```swift
/// options.sessions.vod = "https://ssai.example/vod/[CONTENTSOURCEID]/[VIDEOID]?r=[CACHEBUSTING]"
/// ```
///
/// | macro | value |
/// |---|---|
/// | `CONTENTSOURCEID`, `VIDEOID` | those of a `DAIStreamVOD` |
/// | `ASSETKEY` | that of a `DAIStreamLive` |
/// | `NETWORKCODE`, `CUSTOMASSETKEY`, `APIKEY`, `STREAMURL` | those of a `DAIStreamPodLive` |
/// | `CACHEBUSTING`, `TIMESTAMP` and those in `AdOptions.macros` | as for ad tags |
///
/// The server answers in one of these forms:
///
/// - a JSON object with the address as `stream_manifest`, `manifestUrl` or `url`, which may be relative
/// - for a `DAIStreamPodLive`, a JSON object with `stream_id`, which replaces the macro `STREAMID` in its `streamURL`
/// - the playlist or manifest itself: the stream is at the address of the request, after redirects
///
/// A JSON object may also have a `trackingUrl`. A document at this address has the breaks of the stream, their trackers and their pages,
/// in the form of AWS Elemental MediaTailor. It is loaded when the stream is open; for a live stream, every 10 s.
public struct DAISessionTemplates: Hashable, Sendable {
    /// For a `DAIStreamVOD`; `nil`, the default, for none.
    public var vod: String?
    /// For a `DAIStreamLive`; `nil`, the default, for none.
    public var live: String?
    /// For a `DAIStreamPodLive`; `nil`, the default, for none.
    public var podLive: String?

    /// No addresses.
    public init() {}
}

/// The request for a session of one stream.
struct DAISession: Sendable {
    private let stream: any DAIStream
    private let template: String
    private let macros: AdMacros
    private let timeout: Duration

    private static let largestAnswer = 2 << 20
    /// A playlist or a manifest begins within so many bytes.
    private static let largestStart = 4096
    /// The result of a request.
    struct Answer: Hashable, Sendable {
        /// The address that has answered, after redirects.
        var origin: URL
        var stream: URL
        /// The address of the document with the trackers; `nil` if the server has none.
        var tracking: URL?
    }

    private static let addressNames = ["stream_manifest", "manifestUrl", "url"]

    /// `nil` if there is no template for the stream.
    init?(of media: MediaDAI, by options: AdOptions) {
        let template: String?
        var values: [String: String] = [:]
        switch media.stream {
        case let stream as DAIStreamVOD:
            template = options.sessions.vod
            values = ["CONTENTSOURCEID": stream.contentSourceID, "VIDEOID": stream.videoID]
        case let stream as DAIStreamLive:
            template = options.sessions.live
            values = ["ASSETKEY": stream.assetKey]
        case let stream as DAIStreamPodLive:
            template = options.sessions.podLive
            values = [
                "NETWORKCODE": stream.networkCode, "CUSTOMASSETKEY": stream.customAssetKey, "APIKEY": stream.apiKey,
                "STREAMURL": stream.streamData.streamURL.absoluteString,
            ]
        default: template = nil
        }
        guard let template else { return nil }
        (self.stream, self.template, timeout) = (media.stream, template, options.timeout)
        macros = AdMacros(values: options.macros.merging(values) { $1 })
    }

    /// Starts the session.
    @concurrent func start(by transport: AdTransport) async throws(PlaybackError) -> Answer {
        guard let url = macros.fresh().address(template) else {
            throw PlaybackError(.unsupportedScheme, url: nil, detail: "The template of the session is not an address.")
        }
        let answer: HTTPFetch.Answer
        do throws(AdTransport.Failure) {
            answer = try await transport.answer(at: url, from: nil, upTo: Self.largestAnswer, within: timeout)
        } catch {
            throw Self.error(for: error, url)
        }
        guard let found = result(in: answer) else {
            let detail = "The server that inserts advertisements returned no address of a stream."
            throw PlaybackError(.noPlayableStream, url: url, detail: detail)
        }
        if let error = transport.security.error(for: found.stream, from: answer.url) { throw error }
        return found
    }

    private static func error(for failure: AdTransport.Failure, _ url: URL) -> PlaybackError {
        switch failure {
        case .forbidden: PlaybackError(.addressForbidden, url: url)
        case .timeout: PlaybackError(.timedOut, url: url)
        case .tooLong, .refused:
            PlaybackError(.connectionFailed, url: url, detail: "The server started no session of the stream.")
        }
    }

    private func result(in answer: HTTPFetch.Answer) -> Answer? {
        let start = String(decoding: answer.body.prefix(Self.largestStart), as: UTF8.self)
        if start.contains("#EXTM3U") || start.contains("<MPD") { return Answer(origin: answer.url, stream: answer.url) }
        guard let object = try? JSONDecoder().decode([String: Value].self, from: answer.body) else { return nil }
        func address(_ names: [String]) -> URL? {
            let text = names.lazy.compactMap { object[$0]?.text }.first
            return text.flatMap { URL(string: $0, relativeTo: answer.url)?.absoluteURL }
        }
        var stream = address(Self.addressNames)
        if let pod = self.stream as? DAIStreamPodLive, let id = object["stream_id"]?.text {
            stream = AdMacros(values: ["STREAMID": id]).address(pod.streamData.streamURL.absoluteString)
        }
        return stream.map { Answer(origin: answer.url, stream: $0, tracking: address(["trackingUrl"])) }
    }

    /// A value of an answer; `text` is `nil` if it is another type.
    private struct Value: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }
}
