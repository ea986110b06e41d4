#if VLC
import FlowplayerFaults
import Foundation
import TestSupport
import Testing

/// `flowplay --header` and `--user-agent`.
@Suite struct FlowplayHeaderTests {
    @Test func theServersOfTheArgumentsHaveThem() async throws {
        let clip = try Data(contentsOf: try await MediaFixtures.shared.file("mp3"))
        let other = try await FaultServer.start(serving: ["/b.mp3": clip])
        let list = Data("/a.mp3\n\(other.url(for: "/b.mp3"))\n".utf8)
        let server = try await FaultServer.start(serving: ["/a.mp3": clip, "/list.m3u": list])
        let result = try await FlowplayCommand.run(
            "--no-mpris", "--header", "Authorization: Bearer a:b", "--header", "Cookie: c=d", "--user-agent", "Me/1.0",
            server.url(for: "/list.m3u").absoluteString)
        #expect(result.status == 0, "\(result.errors)")
        let request = try #require(server.requests.first { $0.path == "/a.mp3" })
        #expect(request.headers["authorization"] == "Bearer a:b")
        #expect(request.headers["cookie"] == "c=d")
        #expect(request.headers["user-agent"] == "Me/1.0")
        let foreign = try #require(other.requests.first)
        #expect(foreign.headers["authorization"] == nil && foreign.headers["cookie"] == nil)
        #expect(foreign.headers["user-agent"] == "swift-flowplayer")
    }

    @Test func anInvalidFieldIsAWrongUsage() async throws {
        let result = try await FlowplayCommand.run("--header", "secret", "clip.mp3")
        #expect(result.status == 2)
        #expect(result.errors.contains("A header field has the form 'Name: value'."))
    }

    @Test func aRefusedFieldIsReported() async throws {
        let clip = try await MediaFixtures.shared.file("mp3").path()
        let result = try await FlowplayCommand.run("--no-mpris", "--header", "Host: a", clip)
        #expect(result.errors.contains("The header field Host is not sent, because the player sets it."))
    }
}
#endif
