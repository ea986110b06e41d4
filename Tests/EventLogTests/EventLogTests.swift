import EventLog
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Testing

@MainActor
@Suite struct EventLogTests {
    private let clock = ManualClock()

    /// The log of a player that lives through the body.
    private func log(
        media: SimulatedMedia = SimulatedMedia(duration: 1), _ body: (FlowplayerManager) async -> Void
    ) async throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).jsonl").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        let log = EventLogger(
            descriptor: descriptor, closesDescriptor: true, clock: clock, now: { Date(timeIntervalSince1970: 0) })
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        let manager = FlowplayerManager(avPlayer: player)
        manager.id = "p"
        manager.autoPlay = true
        manager.attach(log)
        await body(manager)
        log.flush()
        #expect(log.error == nil)
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func aWholeStoryIsWrittenLineByLine() async throws {
        let url = try #require(URL(string: "http://user:secret@host/a.mp4?token=1"))
        let log = try await log { player in
            player.load(external: MediaExternal(url: url))
            await clock.advance(by: .seconds(0.6))
            player.seek(0.9)
            await clock.advance(by: .seconds(1))
        }
        #expect(
            log == """
                {"event":"media","item":1,"player":"p","t":0,"ts":"1970-01-01T00:00:00.000Z","url":"http://host/a.mp4"}
                {"event":"rate","item":1,"player":"p","rate":1,"t":0}
                {"event":"state","item":1,"player":"p","position":0,"state":"load","t":0}
                {"event":"playbackType","item":1,"player":"p","t":0.1,"type":"file"}
                {"duration":1,"event":"duration","item":1,"player":"p","t":0.1}
                {"audio":[{"id":1,"name":"Track 1"}],"event":"tracks","item":1,"player":"p","subtitles":[],"t":0.1}
                {"event":"selectedAudio","id":1,"item":1,"player":"p","t":0.1}
                {"event":"buffer","item":1,"player":"p","state":"full","t":0.1}
                {"event":"state","item":1,"player":"p","position":0,"state":"ready","t":0.1}
                {"event":"quality","item":1,"player":"p","quality":"sd360","t":0.1}
                {"event":"state","item":1,"player":"p","position":0,"state":"play","t":0.1}
                {"event":"playbackState","item":1,"player":"p","state":"playing","t":0.1}
                {"event":"position","item":1,"player":"p","position":0.25,"t":0.35}
                {"event":"position","item":1,"player":"p","position":0.5,"t":0.6}
                {"event":"seek","item":1,"player":"p","position":0.9,"state":"seeking","t":0.6}
                {"event":"position","item":1,"player":"p","position":0.9,"t":0.6}
                {"event":"seek","item":1,"player":"p","position":0.9,"state":"seeked","t":0.65}
                {"event":"rate","item":1,"player":"p","rate":0,"t":0.75}
                {"event":"position","item":1,"player":"p","position":1,"t":0.75}
                {"event":"state","item":1,"player":"p","position":1,"state":"complete","t":0.75}
                {"event":"playbackState","item":1,"player":"p","state":"ended","t":0.75}

                """)
    }

    @Test func whatIsWrittenIsReadBack() async throws {
        let error = PlaybackError(.httpStatus, url: URL(string: "http://host/a"), httpStatus: 503)
        let log = try await log(media: SimulatedMedia(failure: .init(at: 1, error: error))) { player in
            player.volume = 0.5
            player.isMuted = true
            player.defaultRate = 1.5
            player.rate = .nan
            player.load(external: MediaExternal(url: URL(filePath: "/a b?.mp4")))
            await clock.advance(by: .seconds(5))
            player.stop()
        }
        let entries = try EventLogReader.entries(in: log)
        #expect(entries.count == log.split(separator: "\n").count)
        #expect(entries.map(\.t) == entries.map(\.t).sorted())
        #expect(entries.first?.ts == Date(timeIntervalSince1970: 0))
        #expect(entries.dropFirst().allSatisfy { $0.ts == nil })
        let notice = PlaybackNotice(code: "invalidRate", message: "A rate must be a number from 0.25 to 4.0.")
        let first: [PlayerEvent] = [
            .volume(0.5), .mute(true), .log(notice), .media(URL(filePath: "/a b?.mp4")), .rate(1.5),
        ]
        let others = entries.map(\.event).filter { $0.name != "position" }
        #expect(Array(others.prefix(5)) == first.map { LoggedEvent($0) })
        let failure = try #require(entries.map(\.event).first { $0.name == "error" })
        #expect(failure == LoggedEvent(.error(error)))
        #expect(failure.code == "httpStatus" && failure.message == error.message && failure.cause == nil)
        #expect(failure.url == "http://host/a" && failure.status == 503 && failure.retryable == true)
        let again = try entries.map { try JSONDecoder().decode(EventLogEntry.self, from: JSONEncoder().encode($0)) }
        #expect(again == entries)
    }

    @Test func chaptersHaveLines() async throws {
        let chapters = [Chapter(start: 0.3, title: "One"), Chapter(start: 0.6, title: "Two")]
        let media = SimulatedMedia(duration: 1, metadata: MediaMetadata(chapters: chapters))
        let log = try await log(media: media) { player in
            player.load(external: MediaExternal(url: URL(filePath: "/a.mp4")))
            await clock.advance(by: .seconds(0.7))
            player.seek(0)
            await clock.advance(by: .seconds(0.1))
        }
        let lines = log.split(separator: "\n").filter { $0.contains(#""event":"chapter""#) }
        #expect(
            lines == [
                #"{"event":"chapter","item":1,"player":"p","start":0.3,"t":0.6,"title":"One"}"#,
                #"{"event":"chapter","item":1,"player":"p","t":0.7}"#,
            ])
        #expect(try EventLogLinter.breaches(in: Data(log.utf8)).isEmpty)
    }

    @Test func aChangeTooSmallToSeeIsNoLine() async throws {
        let log = try await log { player in
            player.volume = 0.5
            player.volume = player.volume.nextUp
            player.volume = 0.75
            player.load(external: MediaExternal(url: URL(filePath: "/a.mp4")))
            await clock.advance(by: .seconds(0.35))
            await clock.advance(by: .nanoseconds(100))
            player.pause()
            await clock.advance(by: .milliseconds(1))
            player.play()
        }
        let events = try EventLogReader.entries(in: log).map(\.event)
        #expect(events.filter { $0.name == "volume" }.map(\.volume) == [0.5, 0.75])
        #expect(events.filter { $0.name == "position" }.map(\.position) == [0.25])
    }

    @Test func aLogThatCannotBeWrittenSaysWhy() {
        let error = #expect(throws: EventLogError.self) { try EventLogger(path: "/no/such/folder/log.jsonl") }
        #expect(
            error?.description == "cannot write the event log to /no/such/folder/log.jsonl: No such file or directory")
    }

    @Test func aReaderThatStandsStillHoldsNobody() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        // Programs that other tests start must not become readers.
        for end in ends { #expect(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        let log = EventLogger(descriptor: ends[1], clock: clock)
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        let manager = FlowplayerManager(avPlayer: player)
        manager.attach(log)
        #expect(log.flush())
        for step in 0..<5000 { manager.volume = step.isMultiple(of: 2) ? 0 : 1 }
        #expect(!log.flush(within: .milliseconds(50)))
        close(ends[0])
        #expect(log.flush(within: .seconds(120)))
        #expect(log.error != nil)
        close(ends[1])
    }

    @Test func aLogSumsUpToStatesAndErrors() throws {
        let log = """
            {"event":"state","item":1,"player":"left","position":0,"state":"load","t":0}
            {"event":"state","item":1,"player":"left","position":0,"state":"failure","t":1.25}
            {"code":"emptyFile","event":"error","item":1,"message":"Empty.","player":"left","retryable":false,"t":2}

            """
        let summary = EventLogSummary(try EventLogReader.entries(in: log)).description
        #expect(
            summary == "3 events in 2.0 s: 2 state, 1 error\nplayer left: load → failure\n  error emptyFile: Empty.")
    }
}
