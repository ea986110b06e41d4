import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// The tracks that a player selects by their language.
@MainActor
@Suite struct LanguageTests {
    private let clock = ManualClock()
    private let center = NotificationCenter()
    private static let clip = MediaExternal(url: URL(filePath: "/media/clip.mp4"))

    private func view(
        _ languages: [String?], features: Set<BackendCapabilities.Feature> = SimulatedBackend.everything.features
    ) -> FlowplayerView {
        let audio = languages.enumerated().map { AudioTrack(id: $0.offset, name: "Audio", lang: $0.element) }
        let subtitles = languages.enumerated().map { SubtitleTrack(id: $0.offset, name: "Text", lang: $0.element) }
        let backend = SimulatedBackend(
            clock: clock, capabilities: BackendCapabilities(features: features),
            media: SimulatedMedia(tracks: MediaTracks(audio: audio, subtitles: subtitles)))
        return FlowplayerView(avPlayer: MediaPlayer(backend: backend, clock: clock), notificationCenter: center)
    }

    private func load(_ view: FlowplayerView) async {
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
    }

    @Test(
        arguments: [
            (["eng", "deu"], ["de"], 1), (["eng", "ger"], ["de"], 1), (["eng", "de-AT"], ["deu"], 1),
            (["fra", "en-US", "en-GB"], ["en-GB"], 2), (["fra", "en_US"], ["en-GB"], 1),
            (["fra", "eng"], ["ja", "EN"], 1),
            (["fra", "eng"], ["ja"], 0), (["fra", nil, "x-own"], ["X-Own"], 2), (["fra", "eng"], [], 0),
            (["", "eng"], ["en"], 1), (["zho", "chi", "nld"], ["dut"], 2),
        ] as [([String?], [String], Int)])
    func theFirstLanguageThatIsThereIsSelected(tracks: [String?], preferred: [String], id: Int) async {
        let view = view(tracks)
        view.preferredAudioLanguages = preferred
        await load(view)
        #expect(view.currentAudio?.id == id)
        #expect(view.currentSubtitle == nil)
    }

    @Test func subtitlesAreShownInThePreferredLanguage() async {
        let view = view(["en", "de"])
        view.preferredSubtitleLanguages = ["de"]
        var selected: [Int?] = []
        let token = view.observe(\.subtitle) { _, id in selected.append(id) }
        await load(view)
        #expect(view.currentSubtitle?.id == 1 && view.currentAudio?.id == 0)
        await load(view)
        #expect(view.currentSubtitle?.id == 1, "it holds for later items")
        token.cancel()
        #expect(selected == [1, nil, 1])
    }

    @Test func aSelectionByTheUserStaysForItsItem() async {
        let view = view(["en", "de", "fr"])
        view.preferredAudioLanguages = ["de"]
        view.preferredSubtitleLanguages = ["de"]
        await load(view)
        view.selectTrack(audio: 2)
        view.selectTrack(subtitle: SubtitleTrack.off.id)
        view.preferredAudioLanguages = ["en"]
        view.preferredSubtitleLanguages = ["en"]
        #expect(view.currentAudio?.id == 2 && view.currentSubtitle == nil)
        view.play()
        await clock.advance(by: .seconds(20))
        view.play()
        await clock.advance(by: .seconds(1))
        #expect(view.currentAudio?.id == 2 && view.currentSubtitle == nil, "it plays again")
        await load(view)
        #expect(view.currentAudio?.id == 0 && view.currentSubtitle?.id == 0)
    }

    @Test func aPreferenceTakesEffectAtOnce() async {
        let view = view(["en", "de"])
        await load(view)
        view.preferredAudioLanguages = ["de"]
        #expect(view.currentAudio?.id == 1)
        #expect(view.preferredAudioLanguages == ["de"])
    }

    @Test func aMissingTrackSelectionIsReported() async throws {
        let view = view(["en", "de"], features: [])
        let recorder = EventRecorder(try #require(view.avPlayer))
        view.preferredAudioLanguages = ["de"]
        await load(view)
        #expect(view.currentAudio?.id == 0)
        #expect(recorder.notices.map(\.code) == ["trackSelectionUnavailable"])
    }

    #if VLC || GStreamer
    @Test(arguments: RealEngine.allCases) func enginesPlayThePreferredLanguages(engine: RealEngine) async throws {
        let player = engine.makePlayer()
        player.preferredAudioLanguages = ["de"]
        player.preferredSubtitleLanguages = ["de-DE"]
        let recorder = EventRecorder(player)
        player.load(try await MediaFixtures.shared.tracks(), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(player.snapshot.currentAudio?.lang?.hasPrefix("de") == true)
        let audio = recorder.events.compactMap { if case .selectedAudio(let track) = $0 { track?.lang } else { nil } }
        #expect(audio.count == 1, "no other track is selected on the way")
        #expect(player.snapshot.currentSubtitle?.lang?.hasPrefix("de") == true)
    }
    #endif
}
