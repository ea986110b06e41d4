import Foundation
import Playback
import TestSupport
import Testing

@testable import FlowplayerIsolation

/// The files and servers that the host opens for an engine.
@Suite struct AccessPolicyTests {
    private func access(_ item: PlayerItem) -> EngineAccess { EngineAccess(for: item, within: 60) }

    private func policy(_ item: PlayerItem) -> AccessPolicy { AccessPolicy(items: [(item, access(item))]) }

    @Test func theFileOfAnItemIsAllowedAndItsNeighboursAreNot() {
        let policy = policy(PlayerItem(url: URL(filePath: "/srv/clip.mp4")))
        #expect(policy.allows(URL(filePath: "/srv/clip.mp4")))
        #expect(!policy.allows(URL(filePath: "/srv/other.mp4")))
        #expect(!policy.allows(URL(filePath: "/srv/clip.mp4/../other.mp4")))
        #expect(!policy.allowsServers)
    }

    @Test func subtitleFilesAreAllowed() {
        let subtitle = ExternalSubtitle(url: URL(filePath: "/srv/clip.srt"), name: "English", lang: "en")
        let policy = policy(PlayerItem(url: URL(string: "https://example.com/clip.mp4")!, subtitles: [subtitle]))
        #expect(policy.allows(URL(filePath: "/srv/clip.srt")))
        #expect(!policy.allows(URL(filePath: "/srv/clip.mp4")))
        #expect(policy.allowsServers)
    }

    @Test func aSubtitleFileOnAServerNeedsAConnection() {
        let subtitle = ExternalSubtitle(url: URL(string: "https://example.com/a.srt")!, name: "English", lang: "en")
        #expect(policy(PlayerItem(url: URL(filePath: "/srv/clip.mp4"), subtitles: [subtitle])).allowsServers)
    }

    @Test func protocolsThatTheEngineReadsNeedTheNetwork() {
        for address in ["rtmp://example.com/live", "udp://@239.0.0.1:1234", "srt://example.com:9000"] {
            #expect(access(PlayerItem(url: URL(string: address)!)) == .network)
        }
        for address in ["http://example.com/a.mp4", "https://example.com/a.m3u8", "file:///srv/clip.mp4"] {
            #expect(access(PlayerItem(url: URL(string: address)!)) == .none)
        }
    }

    @Test func aPlaylistInTheRootFolderNamesNoFiles() {
        let item = PlayerItem(url: URL(filePath: "/list.m3u8"))
        let policy = AccessPolicy(items: [(item, .folder("/"))])
        #expect(policy.allows(item.url))
        #expect(!policy.allows(URL(filePath: "/clip.ts")))
        #expect(!policy.allows(URL(filePath: "/srv/clip.ts")))
    }

    @Test(.timeLimit(.minutes(4))) func workThatBlocksIsNotAwaited() async {
        let (discarded, continuation) = AsyncStream.makeStream(of: String.self)
        let isReleased = DispatchSemaphore(value: 0)
        let result = HostResources.run(within: 0) {
            isReleased.wait()
            return "late"
        } discard: { value in
            continuation.yield(value)
        }
        #expect(result == nil)
        isReleased.signal()
        #expect(await discarded.first { _ in true } == "late")
        #expect(HostResources.run(within: 60) { "in time" } == "in time")
    }

    #if VLC
    @Test func aLocalPlaylistMayNameFilesOfItsFolderAndServers() async throws {
        let playlist = try await MediaFixtures.shared.file("m3u8")
        let folder = playlist.deletingLastPathComponent()
        let link = folder.appending(path: "link.ts")
        try? FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(filePath: "/etc/passwd"))
        defer { try? FileManager.default.removeItem(at: link) }
        let policy = policy(PlayerItem(url: playlist))
        #expect(policy.allows(folder.appending(path: "clip0.ts")))
        #expect(policy.allowsServers)
        #expect(!policy.allows(folder.deletingLastPathComponent().appending(path: "other.ts")))
        #expect(!policy.allows(folder.appending(path: "../other.ts")))
        #expect(!policy.allows(link))
    }
    #endif
}
