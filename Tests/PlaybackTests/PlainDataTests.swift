import Foundation
import Testing

@testable import Playback

/// Commands, events and errors are data: they can be written down and read back.
@Suite struct PlainDataTests {
    private func roundTrip<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value
    }

    @Test func commandsSurviveJSON() throws {
        let generation = Generation(rawValue: 7)
        let commands: [BackendCommand] = [
            .open(OpenRequest(generation: generation, item: Scenario.item, startPosition: 2, playsWhenReady: true)),
            .play(generation), .pause(generation), .seek(generation, to: 3), .close(generation), .setRate(2),
            .setVolume(0.5), .setMuted(true), .setSubtitleDelay(-0.5), .setRole(.phone), .setRole(nil),
        ]
        for command in commands { #expect(try roundTrip(command)) }
    }

    @Test func eventsSurviveJSON() throws {
        for body in PlaybackMachineWalkTests.bodies {
            let event = BackendEvent(body, generation: .none, hostTime: .milliseconds(1234))
            guard let data = try? JSONEncoder().encode(event) else { continue }
            #expect(try JSONDecoder().decode(BackendEvent.self, from: data) == event)
        }
        #expect(try roundTrip(BackendEvent(.failed(.test, position: 1), generation: .none, hostTime: .zero)))
    }

    @Test func aSnapshotSurvivesJSON() throws {
        var story = Scenario()
        story.load()
        story.wait(3)
        story.backend(.failed(.test, position: 3))
        #expect(try roundTrip(story.snapshot))
    }

    @Test func codesHaveOneNameAndOneNumber() {
        #expect(Set(PlaybackErrorCode.all.map(\.name)).count == PlaybackErrorCode.all.count)
        #expect(Set(PlaybackErrorCode.all.map(\.number)).count == PlaybackErrorCode.all.count)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PlaybackErrorCode.self, from: Data("\"noSuchCode\"".utf8))
        }
    }

    @Test(arguments: [
        ("https://user:secret@host:8080/a/b.mp4?token=1#part", "https://host:8080/a/b.mp4"),
        ("rtsp://user@host/live", "rtsp://host/live"),
        ("http://host", "http://host"),
    ])
    func addressesHaveNoSecrets(address: String, redacted: String) throws {
        let url = try #require(URL(string: address))
        #expect(url.redacted == redacted)
        #expect(PlaybackError(.httpStatus, url: url, httpStatus: 404).url == redacted)
    }

    @Test(arguments: ["http://h/a?sig=it's-secret", "'http://h/a?x=<secret>'", "(https://me:secret@h/a)"])
    func aCauseHasNoSecrets(address: String) {
        let error = PlaybackError(.connectionFailed, url: URL(filePath: "/a"), cause: "cannot open \(address), alas")
        #expect(error.cause?.contains("secret") == false)
        #expect(error.cause?.hasSuffix(" alas") == true)
    }

    @Test func aFileIsNamedByItsPath() {
        #expect(URL(filePath: "/a/what? 100% #1.mp4").redacted == "/a/what? 100% #1.mp4")
    }

    @Test(arguments: [(404, false), (403, false), (408, true), (429, true), (500, true), (503, true)])
    func aRetryMakesSenseForSomeStatuses(status: Int, isRetryable: Bool) {
        #expect(PlaybackError(.httpStatus, url: nil, httpStatus: status).isRetryable == isRetryable)
    }
}
