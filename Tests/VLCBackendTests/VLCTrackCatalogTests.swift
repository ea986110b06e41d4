import Foundation
import Playback
import Testing

@testable import VLCBackend

@Suite struct VLCTrackCatalogTests {
    private static func stream(_ id: Int, _ kind: VLCEvent.StreamKind, lang: String? = nil) -> VLCTrack {
        VLCTrack(id: id, kind: kind, lang: lang)
    }

    @Test func aTrackKeepsItsNumberWhenLibVLCChangesIt() {
        var catalog = VLCTrackCatalog()
        for id in 0...2 { catalog.added(id, .audio) }
        let first = [Self.stream(0, .video), Self.stream(1, .audio, lang: "eng"), Self.stream(2, .audio, lang: "deu")]
        catalog.update(first)
        catalog.selected(2, .audio)
        let tracks = catalog.tracks
        #expect(tracks.audio.map(\.id) == [1, 2])
        #expect(catalog.audio == 2)
        for id in 0...2 { catalog.removed(id) }
        for id in 7...9 { catalog.added(id, .audio) }
        let later = [Self.stream(7, .video), Self.stream(8, .audio, lang: "eng"), Self.stream(9, .audio, lang: "deu")]
        // libVLC keeps what was there before in its list.
        catalog.update(first + later)
        catalog.selected(9, .audio)
        #expect(catalog.tracks == tracks)
        #expect(catalog.audio == 2)
        #expect(catalog.stream(of: 1) == 8)
    }

    @Test func equalTracksDifferByTheirOrder() {
        var catalog = VLCTrackCatalog()
        for id in 0...1 { catalog.added(id, .audio) }
        catalog.update([Self.stream(0, .audio), Self.stream(1, .audio)])
        #expect(catalog.tracks.audio.map(\.name) == ["Track 1", "Track 2"])
        #expect(catalog.tracks.audio.map(\.id) == [0, 1])
    }

    @Test func aSubtitleFileIsListedOnceAndEarly() {
        var catalog = VLCTrackCatalog(subtitles: [ExternalSubtitle(url: URL(filePath: "/a.srt"), name: "A")])
        let id = VLCTrackCatalog.firstExternalID
        #expect(catalog.tracks.subtitles == [SubtitleTrack(id: id, name: "A")])
        #expect(catalog.stream(of: id) == nil)
        catalog.added(5, .video)
        catalog.bind(5, toExternal: id)
        catalog.selected(5, .subtitle)
        catalog.update([Self.stream(5, .subtitle)])
        #expect(catalog.tracks.subtitles.map(\.id) == [id])
        #expect(catalog.subtitle == id)
        #expect(catalog.stream(of: id) == 5)
        catalog.deselected(.subtitle)
        #expect(catalog.subtitle == nil)
        catalog.markUnavailable(id)
        #expect(catalog.tracks.subtitles.isEmpty)
    }

    @Test func theSizeIsThatOfTheDecodedVideo() {
        var catalog = VLCTrackCatalog()
        catalog.added(0, .video)
        catalog.update([VLCTrack(id: 0, kind: .video, size: VideoSize(width: 64, height: 36))])
        #expect(catalog.videoSize == nil)
        catalog.selected(0, .video)
        #expect(catalog.videoSize == VideoSize(width: 64, height: 36))
        catalog.removed(0)
        #expect(catalog.videoSize == nil)
    }
}
