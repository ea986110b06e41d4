import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Swift5Host
import Testing

/// The names of the original interface mean here what they mean there.
@MainActor
@Suite struct MirrorTests {
    private let clock = ManualClock()
    private let center = NotificationCenter()
    private static let clip = URL(filePath: "/media/clip.mp4")

    private func player() -> MediaPlayer { MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock) }

    // MARK: Advertisements

    @Test func theLongFormOfAFailedAdvertisementReplacesTheShortOne() async {
        let (long, short, both) = (LongForm(), ShortForm(), BothForms())
        let delegates: [any FlowplayerAdDelegate] = [long, short, both]
        for delegate in delegates {
            let manager = FlowplayerManager(avPlayer: player(), notificationCenter: center)
            manager.adDelegate = delegate
            manager.load(external: MediaExternal(url: Self.clip, adSchedule: AdScheduleRemote(url: Self.clip)))
            await clock.advance(by: .seconds(1))
        }
        #expect(long.lines == ["adLoadFailed unknown nil"])
        #expect(short.lines == ["adLoadFailed"])
        #expect(both.lines == ["adLoadFailed unknown nil"])
    }

    @Test func aFailedStreamIsReportedToBothDelegatesAndAsANotification() async {
        let (ads, stream) = (LongForm(), StreamDelegate())
        let manager = FlowplayerManager(avPlayer: player(), notificationCenter: center)
        manager.adDelegate = ads
        manager.daiDelegate = stream
        var posted: [AdError?] = []
        let token = center.addObserver(forName: .flowplayerAdDidFail, object: nil, queue: nil) { notification in
            let error = notification.object as? AdError
            MainActor.assumeIsolated { posted.append(error) }
        }
        defer { center.removeObserver(token) }
        manager.load(dai: MediaDAI(stream: DAIStreamLive(assetKey: "key")))
        #expect(await EventRecorder(manager.avPlayer!).reaches(.failure))
        #expect(stream.lines == ["adLoadFailed"])
        #expect(ads.lines == ["adLoadFailed unknown nil"])
        #expect(posted == [.adLoadFailed])
    }

    @Test func theCasesOfAnAdvertisementsErrorAreThoseOfTheOriginal() {
        let error: AdError = .requiredListenersNotAdded
        switch error {
        case .noAdAvailable, .adLoadFailed, .adDisplayError, .noAvPlayerInstance, .invalidAdRequest: break
        case .adSlotNotVisible, .apiError, .companionAdLoadingFailed, .contentPlayheadMissing, .invalidArguments: break
        case .osRuntimeTooOld, .playlistMalformedResponse, .requiredListenersNotAdded, .unknownError: break
        default: break
        }
        #expect(error.errorDescription == "A required listener of advertisement events is missing.")
    }

    // MARK: Values

    @Test func valuesHaveTheMembersOfTheOriginal() {
        #expect(PlaybackType.allCases == [.file, .vod, .live, .unknown])
        #expect(PlaybackType(rawValue: Optional("live")) == .live)
        #expect(PlaybackType(rawValue: String?.none) == nil)
        #expect(Set(LogLevel.allCases.map(\.emoji)).count == 4)
        #expect(LogLevel.allCases.map(\.description) == ["debug", "info", "warning", "error"])
        var config = SDKConfig()
        #expect(config.loggerEnabled)
        config.disableLogging = true
        #expect(!config.loggerEnabled)
    }

    @Test func theSubtitlesOfAConfigAreOneValueWithAnID() throws {
        let json = #"{"src": "a.mp4", "subtitles": [{"src": "a.vtt"}]}"#
        let config = try JSONDecoder().decode(OVPConfig.self, from: Data(json.utf8))
        let subtitles: OVPConfig.Subtitle? = config.subtitles
        let id: UUID? = subtitles?.id
        #expect(id != nil)
        #expect(subtitles?.tracks.map(\.src) == ["a.vtt"])
        #expect(try JSONDecoder().decode(OVPConfig.self, from: JSONEncoder().encode(config)) == config)
    }

    // MARK: Rate

    @Test func theRateIsThatOfAVPlayer() async {
        let manager = FlowplayerManager(avPlayer: player(), notificationCenter: center)
        let rates = RateDelegate()
        manager.delegate = rates
        manager.load(external: MediaExternal(url: Self.clip))
        await clock.advance(by: .seconds(1))
        #expect(manager.rate == 0)
        manager.rate = 1
        await clock.advance(by: .seconds(1))
        #expect(manager.state == .play)
        manager.pause()
        manager.defaultRate = 2
        #expect(manager.rate == 0)
        manager.play()
        #expect(manager.avPlayer?.rate == 2)
        await clock.advance(by: .seconds(10))
        #expect(manager.state == .complete)
        #expect(rates.reported == [1, 0, 2, 0])
    }

    // MARK: Isolation

    @Test nonisolated func theNamesOfTheLifecycleCanBeUsedFromAnywhere() {
        let names = [
            ApplicationLifecycle.didEnterBackgroundNotification, ApplicationLifecycle.willEnterForegroundNotification,
        ]
        #expect(Set(names).count == 2)
    }

    @Test func aPlayerCanBeSentToATask() async {
        let api: any FlowplayerAPI = FlowplayerManager(avPlayer: player(), notificationCenter: center)
        let id = await Task.detached { await api.id }.value
        #expect(id == api.id)
    }

    @Test func aHostInSwift5ModeCompilesAndPlays() async {
        let host = Swift5Host(player: player())
        host.load(Self.clip)
        await clock.advance(by: .seconds(1))
        #expect(host.lines == ["load", "adLoadFailed unknown without metadata", "ready", "play"])
        #expect(daiMedia().count == 3)
    }

    @Test func aDoubleOfAHostNeedsOnlyTheOriginalMembers() {
        let double = PlayerDouble()
        let api: any FlowplayerViewAPI = double
        let plugin = AttachedPlugin()
        #expect(api.metadata.isEmpty)
        #expect(api.queue == nil)
        api.load(queue: [MediaExternal(url: Self.clip)])
        #expect((double.media as? MediaExternal)?.url == Self.clip)
        api.backgroundPolicy = .continueAudio
        #expect(double.enableBackgroundPlayback)
        #expect(api.backgroundPolicy == .continueAudio)
        api.observe(\.state) { _, _ in }.cancel()
        let token = api.attach(plugin)
        token.cancel()
        #expect(plugin.calls == ["attach", "detach"])
    }
}

private final class LongForm: FlowplayerAdDelegate {
    private(set) var lines: [String] = []

    func player(_: FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?) {
        lines.append("\(error) \(type) \(metadata.map { "\($0)" } ?? "nil")")
    }
}

private final class ShortForm: FlowplayerAdDelegate {
    private(set) var lines: [String] = []

    func player(_: FlowplayerAPI, didAdFailWith error: AdError) { lines.append("\(error)") }
}

private final class BothForms: FlowplayerAdDelegate {
    private(set) var lines: [String] = []

    func player(_: FlowplayerAPI, didAdFailWith error: AdError) { lines.append("\(error)") }
    func player(_: FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?) {
        lines.append("\(error) \(type) \(metadata.map { "\($0)" } ?? "nil")")
    }
}

private final class StreamDelegate: FlowplayerDAIDelegate {
    private(set) var lines: [String] = []

    func player(_: FlowplayerAPI, didStreamFailWith error: AdError) { lines.append("\(error)") }
}

private final class AttachedPlugin: PlayerPlugin {
    private(set) var calls: [String] = []

    func attach(to player: any FlowplayerAPI) { calls.append("attach") }
    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {}
    func detach() { calls.append("detach") }
}

@MainActor private final class RateDelegate: FlowplayerDelegate {
    private(set) var reported: [Float] = []

    func player(_ player: any FlowplayerAPI, didChangeRate rate: Float) { reported.append(rate) }
}
