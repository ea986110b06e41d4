import FlowplayerFaults
import FlowplayerSDK
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
    private let folder: URL
    private let paths = ["/clip.mp4", "/tone.mp3", "/clip.mkv", "/hls/master.m3u8"]
    /// The addresses of documents with one advertisement, half of which have a fault.
    private let adTags: [String]

    init() async throws {
        let fixtures = MediaFixtures.shared
        folder = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID().uuidString)")
        let stream = try await fixtures.joined(seconds: 6).deletingLastPathComponent()
        let files = [
            "clip.mp4": try await fixtures.long(seconds: 6), "tone.mp3": try await fixtures.file("mp3"),
            "clip.mkv": try await fixtures.file("mkv"), "ad.mp4": try await fixtures.file("mp4"), "hls": stream,
        ]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, file) in files { try FileManager.default.copyItem(at: file, to: folder.appending(path: name)) }
        server = try await FaultServer.start(serving: folder)
        adTags = try Self.writeAds(in: folder, server)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    private static func writeAds(in folder: URL, _ server: FaultServer) throws -> [String] {
        try Data().write(to: folder.appending(path: "pixel"))
        let faults = passing + lasting
        let plans = Array(repeating: FaultPlan(), count: faults.count) + faults.map { FaultPlan($0)! }
        return try plans.enumerated().map { number, plan in
            let name = "ad-\(number).xml"
            let media = server.url(for: "/ad.mp4", plan: plan)
            let document = """
                <VAST version="4.2"><Ad><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Error>\(server.url(for: "/pixel"))?[ERRORCODE]</Error>
                <Impression>\(server.url(for: "/pixel"))</Impression><Creatives><Creative><Linear skipoffset="00:00:01"><MediaFiles>
                <MediaFile delivery="progressive" type="video/mp4">\(media)</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
                """
            try Data(document.utf8).write(to: folder.appending(path: name))
            let isDocumentFaulty = number.isMultiple(of: 2)
            return server.url(for: "/" + name, plan: isDocumentFaulty ? plan : FaultPlan()).absoluteString
        }
    }

    /// Breaks before, in and after an item.
    func ads(_ dice: inout Dice) -> any AdSchedule {
        let tags = (0..<3).map { _ in (0..<2).map { _ in adTags.randomElement(using: &dice)! } }
        return AdScheduleWaterfall(
            preAdBreak: AdBreak(adTags: tags[0]), midAdBreak: [AdBreak(adTags: tags[1], offset: 2)],
            postAdBreak: AdBreak(adTags: tags[2]))
    }

    /// One that plays.
    func good(_ dice: inout Dice) -> URL { server.url(for: paths.randomElement(using: &dice)!) }

    /// One that may play or fail.
    func bad(_ dice: inout Dice) -> URL {
        let fault = (Bool.random(using: &dice) ? Self.passing : Self.lasting).randomElement(using: &dice)!
        return server.url(for: paths.randomElement(using: &dice)!, plan: FaultPlan(fault)!)
    }
}
