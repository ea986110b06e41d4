import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// The engine of the guide to backends keeps the contract, as the guide says.
@Suite struct WritingABackendTests {
    private static let seconds = 6.0

    @Test(arguments: BackendContract.cases)
    func theExampleKeepsTheContract(example: BackendContract.Case) async throws {
        let report = try Self.report
        let line = report.first { $0.hasPrefix("skipped \(example.id): ") }
        let outcome = try await silentContract(clip: Self.clip(), seconds: Self.seconds).run(example)
        switch outcome {
        case .passed: #expect(line == nil)
        case .skipped(let reason): #expect(line == "skipped \(example.id): \(reason)")
        }
    }

    @Test func theReportOfTheGuideCountsEveryCase() throws {
        let report = try Self.report
        let skipped = report.count - 1
        #expect(report.first == "\(BackendContract.cases.count - skipped) passed, \(skipped) skipped, 0 violated")
    }

    @Test func theGuideListsEveryCaseWithItsRule() throws {
        let rows = try Article.source("Docs/WritingABackend.md").filter {
            $0.wholeMatch(of: /\| `[a-z]+-[a-z-]+` \| .*/) != nil
        }
        #expect(rows == BackendContract.cases.map { "| `\($0.id)` | \($0.sentence) |" })
    }

    @Test(arguments: [("clip.wav", nil), ("text.wav", PlaybackErrorCode.unrecognisedFormat)])
    @MainActor func aPlayerPlaysWithTheExample(name: String, code: PlaybackErrorCode?) async throws {
        let file =
            try name == "clip.wav" ? await Self.clip() : await MediaFixtures.shared.bytes(name, Data("RIFF".utf8))
        let view = useSilentBackend()
        let recorder = EventRecorder(try #require(view.avPlayer))
        view.autoPlay = true
        view.load(external: MediaExternal(url: file))
        #expect(await recorder.event(within: .seconds(60)) { [.state(.complete), .state(.failure)].contains($0) })
        #expect(recorder.errors.map(\.code) == [code].compactMap(\.self))
        #expect(view.snapshot.duration == (code == nil ? Self.seconds : nil))
    }

    /// The report that the guide shows.
    private static var report: [String] {
        get throws { try Article("Docs/WritingABackend.md").blocks("text").first ?? [] }
    }

    /// Silence of 8,000 bytes a second.
    private static func clip() async throws -> URL {
        let bytes = Int(seconds * 8000)
        var data = Data("RIFF".utf8)
        func add(_ number: Int, size: Int = 4) {
            for byte in 0..<size { data.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
        }
        add(36 + bytes)
        data += Data("WAVEfmt ".utf8)
        add(16)
        for (number, size) in [(1, 2), (1, 2), (8000, 4), (8000, 4), (1, 2), (8, 2)] { add(number, size: size) }
        data += Data("data".utf8)
        add(bytes)
        return try await MediaFixtures.shared.bytes("silence.wav", data + Data(repeating: 128, count: bytes))
    }
}
