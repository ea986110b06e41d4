import FlyingFox
import Foundation
import Playback
import TestSupport
import Testing

@testable import MediaTransport

/// The security policy of an item applies to its subtitle files.
@Suite struct SubtitleFileTests {
    private static let text = "1\n00:00:00,000 --> 00:00:01,000\nHello\n"

    private func server() async throws -> LoopbackServer {
        try await LoopbackServer { request in
            switch request.path {
            case "/text.srt": HTTPResponse(statusCode: .ok, body: Data(Self.text.utf8))
            case "/moved.srt": HTTPResponse(statusCode: .found, headers: HTTPHeaders([.location: "/text.srt"]))
            default:
                HTTPResponse(statusCode: .found, headers: HTTPHeaders([.location: "https://127.0.0.1:1/text.srt"]))
            }
        }
    }

    /// Why it cannot be had; `nil` if it can.
    private func refusal(_ url: URL, _ policy: MediaSecurityPolicy = .standard) async -> String? {
        do throws(SubtitleFile.Unusable) {
            let options = HTTPRequestOptions(retry: .standard, security: policy, cookies: CookieJar())
            _ = try await SubtitleFile.prepare(ExternalSubtitle(url: url, name: "Text"), by: options)
            return nil
        } catch {
            return error.notice.message
        }
    }

    @Test(arguments: ["text.srt", "moved.srt"])
    func anAllowedFileIsRead(name: String) async throws {
        let server = try await server()
        #expect(await refusal(server.base.appending(path: name)) == nil)
    }

    @Test func aSubtitleAddressIsCheckedAsThatOfTheItem() async throws {
        let server = try await server()
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).srt")
        try Self.text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        for url in [server.base.appending(path: "text.srt"), file] {
            let message = await refusal(url, .httpsOnly)
            #expect(message == "The subtitles Text cannot be shown: its address is not allowed.")
        }
        #expect(await refusal(file) == nil)
    }

    @Test func redirectsAreCheckedToo() async throws {
        let server = try await server()
        let policy = MediaSecurityPolicy(allowedSchemes: ["http"])
        let message = await refusal(server.base.appending(path: "away.srt"), policy)
        let reason = "the server redirects to an address that is not allowed"
        #expect(message == "The subtitles Text cannot be shown: \(reason).")
    }
}
