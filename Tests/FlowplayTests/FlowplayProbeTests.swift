#if VLC
import FlowplayerFaults
import Foundation
import TestSupport
import Testing

/// `flowplay probe`, as a shell sees it.
@Suite struct FlowplayProbeTests {
    private func probe(_ arguments: String...) async throws -> Command.Result {
        try await FlowplayCommand.command(["probe"] + arguments).run()
    }

    @Test func theTracksAreListed() async throws {
        let file = try await MediaFixtures.shared.tracks()
        let result = try await probe(file.path())
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(
            result.output == """
                \(file.path())
                  Container  Matroska
                  Duration   0:08
                  Title      Two of each
                  Video      320x180, H264 - MPEG-4 AVC (part 10), 25 frames/s
                  Audio      English [eng], MPEG AAC Audio
                  Audio      Deutsch [deu], MPEG AAC Audio
                  Subtitles  eng, Text subtitles with various tags
                  Subtitles  deu, Text subtitles with various tags

                """)
    }

    @Test(arguments: ["vlc", "auto", "none"]) func theEngineCanBeChosen(engine: String) async throws {
        let file = try await MediaFixtures.shared.tracks()
        let result = try await probe("--engine", engine, file.path())
        if engine == "none" {
            #expect(result.status == 2 && result.output.isEmpty)
            #expect(result.errors.contains("There is no engine none. Choose one of: auto, "))
        } else {
            #expect(result.status == 0 && result.output.contains("Audio      Deutsch [deu]"), "\(result.output)")
        }
    }

    #if GStreamer
    @Test func theChosenEngineOpensTheItem() async throws {
        let result = try await probe("--engine", "gstreamer", "rtsp://127.0.0.1:1/camera")
        #expect(result.status == 3)
        #expect(result.errors.contains("127.0.0.1:1 refused the connection."), "\(result.errors)")
    }
    #endif

    @Test func metadataAndChaptersAreListed() async throws {
        let file = try await MediaFixtures.shared.tagged("m4a")
        let result = try await probe(file.path())
        #expect(result.status == 0)
        for row in ["Title      A Title", "Artist     An Artist", "Album      An Album", "Chapter    0:01  Rest"] {
            #expect(result.output.contains("\n  \(row)\n"), "\(row) is missing: \(result.output)")
        }
    }

    @Test func qualitiesOfAStreamAreListed() async throws {
        let folder = try await MediaFixtures.shared.variants().deletingLastPathComponent()
        let server = try await FaultServer.start(serving: folder)
        let result = try await probe(server.url(for: "/master.m3u8").absoluteString)
        #expect(result.status == 0)
        for row in ["Container  HLS", "Duration   0:12", "Quality    1280x720, 2000 kbit/s"] {
            #expect(result.output.contains("\n  \(row)\n"), "\(row) is missing: \(result.output)")
        }
    }

    @Test func whatDoesNotPlayHasAReason() async throws {
        let file = try await MediaFixtures.shared.bytes("probed-text.mp4", Data("no video".utf8))
        let good = try await MediaFixtures.shared.file("flac")
        let result = try await probe(file.path(), "/no/such/file.mp4", good.path())
        #expect(result.status == 3)
        #expect(result.output.hasPrefix("\(good.path())\n  Container  FLAC\n"))
        let errors = result.errors.split(separator: "\n")
        #expect(errors.count == 2 && errors[0].hasPrefix("flowplay: \(file.path()): "), "\(errors)")
        #expect(errors.last == "flowplay: /no/such/file.mp4: There is no such file. Check the path and its spelling.")
    }

    @Test func objectsAreForPrograms() async throws {
        struct Object: Decodable {
            struct Failure: Decodable { let code: String }
            struct Track: Decodable { let codec: String? }
            let file: String
            let playable: Bool
            let duration: Double?
            let audio: [Track]
            let error: Failure?
        }
        let file = try await MediaFixtures.shared.tracks()
        let result = try await probe("--json", file.path(), "/no/such/file.mp4")
        #expect(result.status == 3 && result.errors.isEmpty)
        let objects = try result.output.split(separator: "\n").map {
            try JSONDecoder().decode(Object.self, from: Data($0.utf8))
        }
        #expect(objects.map(\.file) == [file.path(), "/no/such/file.mp4"])
        #expect(objects.map(\.playable) == [true, false])
        #expect(objects.first?.duration.map { Int($0) } == 8)
        #expect(objects.first?.audio.map(\.codec) == ["MPEG AAC Audio", "MPEG AAC Audio"])
        #expect(objects.last?.error?.code == "fileNotFound")
    }

    @Test func wrongUsageSaysWhatIsWrong() async throws {
        let empty = try await probe()
        #expect(empty.status == 2 && empty.errors.contains("Name at least one file or address."))
        let help = try await probe("--help")
        #expect(help.status == 0 && help.output.contains("EXIT STATUS"))
    }
}
#endif
