import FlowplayerFaults
import Foundation
import TestSupport

/// The media of a soak, on a server that fails at random.
struct SoakMedia {
    /// Faults that do not end playback. There is no outage, because all players share the server.
    private static let passing = [
        "status=503@1", "late=0.5", "drip=40000", "reset-mid-body@1", "close-mid-body@1", "chunked", "unframed",
        "no-ranges",
        "redirect",
    ]
    /// Faults that end it.
    private static let lasting = [
        "status=404", "status=500", "refused", "reset-before-headers", "redirect-loop", "redirect-to-file", "garbage",
        "empty",
        "type=text%2Fhtml", "close-after-headers", "tls-expired",
    ]

    let server: FaultServer
    private let paths: [String]

    init() async throws {
        let fixtures = MediaFixtures.shared
        let clip = try await fixtures.long(seconds: 6)
        let stream = try await fixtures.joined(seconds: 6)
        var files: [String: Data] = [
            "/clip.mp4": try Data(contentsOf: clip),
            "/tone.mp3": try Data(contentsOf: try await fixtures.medium("mp3")),
            "/clip.mkv": try Data(contentsOf: try await fixtures.medium("mkv")),
        ]
        let folder = stream.deletingLastPathComponent()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
            files["/hls/\(name)"] = try Data(contentsOf: folder.appending(path: name))
        }
        server = try await FaultServer.start(serving: files)
        paths = ["/clip.mp4", "/tone.mp3", "/clip.mkv", "/hls/master.m3u8"]
    }

    /// One that plays.
    func good(_ dice: inout Dice) -> URL { server.url(for: paths.randomElement(using: &dice)!) }

    /// One that may play or fail.
    func bad(_ dice: inout Dice) -> URL {
        let fault = (Bool.random(using: &dice) ? Self.passing : Self.lasting).randomElement(using: &dice)!
        return server.url(for: paths.randomElement(using: &dice)!, plan: FaultPlan(fault)!)
    }
}
