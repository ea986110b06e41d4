import Foundation
import Playback
import Testing

@testable import FlowplayerTesting

@Suite struct GoldenFileTests {
    private let site = CallSite(fileID: "Tests/Story.swift", line: 7)
    private let folder = FileManager.default.temporaryDirectory.appending(path: "golden-\(UUID().uuidString)")

    private func file(isUpdated: Bool = false) -> GoldenFile {
        GoldenFile(name: "story", besides: folder.appending(path: "Story.swift"), isUpdated: isUpdated)
    }

    @Test func aMissingFileIsAFailureThatSaysHowToMakeIt() {
        let mismatch = #expect(throws: EventMismatch.self) { try file().expect("state load\n", at: site) }
        #expect(
            mismatch?.description == """
                Tests/Story.swift:7: Golden/story.txt is missing. To make it, run the test with \
                FLOWPLAYER_UPDATE_GOLDEN=1.
                """)
        #expect(!FileManager.default.fileExists(atPath: folder.path()))
    }

    @Test func anUpdateWritesTheFileAndSaysSo() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try file(isUpdated: true).expect("state load\n", at: site) == "Golden/story.txt: created")
        #expect(try file().expect("state load\n", at: site) == nil)
        #expect(try file(isUpdated: true).expect("state load\n", at: site) == nil)
        #expect(try file(isUpdated: true).expect("state ready\n", at: site) == "Golden/story.txt: updated")
        let mismatch = #expect(throws: EventMismatch.self) {
            try file().expect("state load\nstate ready\n", at: site)
        }
        #expect(mismatch?.difference == ["+ state load", "  state ready"])
    }

    @Test func everyEventIsOneLine() {
        let events: [(PlayerEvent, String)] = [
            (.media(nil), "media unknown yet"),
            (
                .resolved(URL(string: "https://user:word@media.example/a.m3u8?key=1")!),
                "resolved https://media.example/a.m3u8"
            ),
            (.dvrWindow(DVRWindow(start: 2, end: 62.5)), "dvrWindow 2...62.5"),
            (.selectedAudio(nil), "selectedAudio none"),
            (.selectedSubtitle(SubtitleTrack(id: 4, name: "English")), "selectedSubtitle 4"),
            (.position(0.1 + 0.2), "position 0.3"),
            (.position(-0.0001), "position 0"),
            (.seek(.seeked, position: 1234.5678), "seek seeked 1234.568"),
            (.rate(1), "rate 1"),
            (.log(PlaybackNotice(code: "oddity", message: "Something\nodd.")), "log oddity"),
            (.error(PlaybackError(.httpStatus, url: nil, httpStatus: 404)), "error httpStatus 404"),
            (.missed(12), "missed 12"),
        ]
        for (event, text) in events { #expect(event.text == text) }
    }
}
