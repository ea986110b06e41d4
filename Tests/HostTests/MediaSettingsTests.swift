import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Testing

/// The settings of media and items reach the engine, and those that cannot be used are reported.
@MainActor
@Suite struct MediaSettingsTests {
    private let clock = ManualClock()
    private static let clip = URL(string: "https://media.example/clip.mp4")!

    private func manager() -> (FlowplayerManager, EventRecorder) {
        let manager = FlowplayerManager(
            avPlayer: MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock))
        return (manager, EventRecorder(manager.avPlayer!))
    }

    @Test func theSettingsOfMediaAreThoseOfTheirItem() async {
        var media = MediaExternal(url: Self.clip)
        media.preferredPeakBitRate = 1_000_000
        media.maximumResolution = .init(width: 1280, height: 720)
        media.subtitles = [ExternalSubtitle(url: Self.clip, name: "Deutsch")]
        media.startPosition = 4
        media.metadata.title = "A title"
        media.httpHeaders = ["Authorization": "Bearer abc"]
        media.userAgent = "Host/1.0"
        media.httpHeaderOrigins = [Self.clip]
        media.retryPolicy = .none
        media.securityPolicy = .httpsOnly
        let (manager, _) = manager()
        manager.load(external: media)
        await clock.advance(by: .seconds(1))
        #expect(manager.position?.seconds == 4)
        #expect(manager.metadata.title == "A title")
        let item = manager.avPlayer?.currentItem
        #expect(item?.preferredPeakBitRate == 1_000_000)
        #expect(item?.maximumResolution == .init(width: 1280, height: 720))
        #expect(item?.preferredMaximumResolution == CGSize(width: 1280, height: 720))
        #expect(item?.subtitles == media.subtitles)
        #expect(item?.httpHeaders == media.httpHeaders)
        #expect(item?.userAgent == "Host/1.0")
        #expect(item?.httpHeaderOrigins == [Self.clip])
        #expect(item?.retryPolicy == RetryPolicy.none)
        #expect(item?.securityPolicy == .httpsOnly)
        manager.load(external: media, startPosition: 2)
        await clock.advance(by: .seconds(1))
        #expect(manager.position?.seconds == 2)
    }

    @Test(arguments: [0, -1, .infinity, .nan] as [Double])
    func aSettingIsCheckedAlsoIfItIsSetLater(value: Double) {
        var media = MediaExternal(url: Self.clip, preferredPeakBitRate: 1)
        media.preferredPeakBitRate = value
        #expect(media.preferredPeakBitRate == nil)
        var item = PlayerItem(url: Self.clip, preferredPeakBitRate: 1, startPosition: 1)
        item.preferredPeakBitRate = value
        item.startPosition = value
        #expect(item.preferredPeakBitRate == nil)
        #expect(item.startPosition == 0)
    }

    @Test(
        arguments: [
            ("Host", "a", "The header field Host is not sent, because the player sets it."),
            ("range", "bytes=0-1", "The header field range is not sent, because the player sets it."),
            ("Content-Length", "1", "The header field Content-Length is not sent, because the player sets it."),
            ("Transfer-Encoding", "chunked", "The header field Transfer-Encoding is not sent,"),
            ("X-Token", "a\r\nHost: b", "The header field X-Token is not sent, because its value has a line break."),
            ("X-Token", "a\nb", "The header field X-Token is not sent, because its value has a line break."),
            ("X Token", "a", "A header field is not sent, because its name is invalid."),
            ("X\r\nHost", "a", "A header field is not sent, because its name is invalid."),
        ])
    func aFieldThatCannotBeSentIsReported(name: String, value: String, message: String) async {
        let (manager, recorder) = manager()
        var media = MediaExternal(url: Self.clip)
        media.httpHeaders = [name: value, "Referer": "https://host.example"]
        manager.load(external: media)
        await clock.advance(by: .seconds(1))
        let notices = recorder.notices.filter { $0.code == "headerRefused" }
        #expect(notices.count == 1)
        #expect(notices.first?.message.hasPrefix(message) == true, "\(notices)")
        #expect(manager.state == .ready)
    }

    @Test func usualFieldsAreNotReported() async {
        let (manager, recorder) = manager()
        var media = MediaExternal(url: Self.clip)
        media.httpHeaders = [
            "Authorization": "Basic YTpi", "Cookie": "a=b; c=d", "Referer": "https://a/", "Accept": "",
        ]
        media.userAgent = "Host/1.0 (Ünicode)"
        manager.load(external: media)
        await clock.advance(by: .seconds(1))
        #expect(recorder.notices.isEmpty)
    }
}
