#if VLC && GStreamer
import FlowplayerFaults
import FlowplayerSDK
import Foundation
import GStreamerBackend
import Playback
import TestSupport
import Testing
import VLCBackend

/// Faults of servers on DASH end as on HLS, with both engines.
@MainActor
@Suite struct DASHFaultTests {
    enum Engine: CaseIterable {
        case libVLC, gStreamer

        func makeBackend() -> any PlaybackBackend {
            switch self {
            case .libVLC: LibVLCBackend(audioOutput: .none)
            case .gStreamer: LibGStreamerBackend(audioOutput: .none)
            }
        }
    }

    /// Faults that end without a time-out, and that do not need a second request of the manifest.
    nonisolated private static let faults = FaultCatalogue.entries.filter { fault in
        let others = ["hang", "late", "drip", "outage", "expires", "redirect-to-file@2-"]
        return !fault.isForHLS && !others.contains { fault.plan.description.hasPrefix($0) }
            || fault.plan.description.hasSuffix("@segment2")
    }

    @Test(arguments: Engine.allCases, faults)
    func eachFaultEndsAsOnHLS(engine: Engine, fault: FaultCatalogue.Entry) async throws {
        let folder = try await MediaFixtures.shared.dash(seconds: 6).deletingLastPathComponent()
        let server = try await FaultServer.start(serving: folder)
        let run = try await FaultRun(
            "/stream.mpd", fault.plan, server, policy: FaultMatrixTests.steadyPolicy(fault),
            backend: engine.makeBackend())
        await server.stop()
        var expected = try FaultDocument().ending(of: .init(fault: fault, media: .vod))
        // GStreamer finds out the format of each segment. It reads the second one before it plays, or later.
        if engine == .gStreamer, fault.plan.description == "garbage@segment2" {
            expected = run.log.contains("state ready") ? "`decodingFailed`" : "`unrecognisedFormat`"
        }
        #expect(run.endingText == expected, "\(run.log)")
        #expect(run.finalEvents == 1)
    }

    @Test(arguments: Engine.allCases)
    func segmentsInOneFileNeedNoByteRanges(engine: Engine) async throws {
        let folder = try await MediaFixtures.shared.dash("index").deletingLastPathComponent()
        let server = try await FaultServer.start(serving: folder)
        for path in ["/stream.mpd", "/master.m3u8"] {
            let run = try await FaultRun(
                path, FaultPlan(.noRanges), server, policy: .unlimited, backend: engine.makeBackend())
            #expect(run.endingText == "plays", "\(path): \(run.log)")
        }
        await server.stop()
    }
}
#endif
