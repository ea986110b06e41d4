// Measures playback over HTTP against a C program over libVLC and against mpv, on a server that adds round trips.
// usage: network [RUNS [SECONDS]], 7 runs and 30 seconds of 1080p HLS by default
import Foundation
import Measuring

/// The figures of one run.
struct Figures {
    /// In milliseconds.
    var firstFrame = 0.0, seek = 0.0, cpu = 0.0
    var threads = 0.0
    /// In MB.
    var memory = 0.0
    var connections = 0.0, requests = 0.0
}

enum Program: String, CaseIterable {
    case player = "network-player"
    case peer = "network-peer"
    case mpv

    static let all = allCases.filter { $0 != .mpv || FileManager.default.isExecutableFile(atPath: "/usr/bin/mpv") }

    var name: String { ["network-player": "player", "network-peer": "C program"][rawValue] ?? rawValue }

    var path: String {
        if self == .mpv { return "/usr/bin/mpv" }
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: rawValue).path()
    }
}

/// A file on a server with a round trip time.
struct Situation {
    let file: String
    /// In seconds.
    let roundTrip: Double
    let hasTLS: Bool

    /// The round trip time with bounds, in seconds.
    private static let boundedTrip = 0.15
    /// The most round trips to the first frame. The fewest are 2 for an mp4, and 3 for a media playlist.
    private static let mostTrips = ["clip.mp4": 2.7, "clip.m3u8": 3.7]

    static func all(withTLS: Bool) -> [Situation] {
        ["clip.mp4", "clip.m3u8", "master.m3u8"].flatMap { file in
            [(0, false), (0.05, false), (boundedTrip, false), (boundedTrip, true)]
                .filter { withTLS || !$0.1 }
                .map { Situation(file: file, roundTrip: $0.0, hasTLS: $0.1) }
        }
    }

    var name: String { file + String(format: ", %.0f ms", roundTrip * 1000) + (hasTLS ? ", TLS" : "") }
    var isBounded: Bool { roundTrip == Self.boundedTrip }
    /// `nil` if there is no bound.
    var mostTrips: Double? { isBounded && !hasTLS ? Self.mostTrips[file] : nil }
}

func pad(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }

@MainActor
struct Network {
    private static let mostConnections = 2.0
    private static let mostCPU = 1.10

    let runs: Int
    let seconds: Double
    let folder: URL

    func run() async throws -> Bool {
        try await makeMedia()
        if Program.all.count < 3 { print("mpv is not measured: it is not installed. apt-get install mpv") }
        let authority = await makeAuthority()
        print("medians of \(runs) runs; first frame and seek in ms; seek to second 45 after 3 s")
        print(pad("", 28) + pad("program", 10) + "first frame  round trips    seek  connections  requests")
        var verdicts: [(text: String, isMet: Bool)] = []
        for situation in Situation.all(withTLS: authority != nil) {
            let figures = try await measure(situation, authority, runs: runs, seconds: 3, seek: 45)
            report(figures, in: situation)
            if situation.isBounded { verdicts += judge(figures, in: situation) }
        }
        verdicts += try await measureCost()
        print("\nbounds")
        for (text, isMet) in verdicts { print("\(text) \(verdict(isMet))") }
        return verdicts.allSatisfy(\.isMet)
    }

    private func makeAuthority() async -> TLSAuthority? {
        do {
            return try await TLSAuthority(in: folder)
        } catch {
            print("TLS is not measured: \(error)")
            return nil
        }
    }

    // MARK: Media

    private func makeMedia() async throws {
        let hls = ["-hls_time", "4", "-hls_playlist_type", "vod"]
        try await make("clip.mp4", size: "640x360", seconds: 60, ["-movflags", "+faststart"])
        try await make("clip.m3u8", size: "640x360", seconds: 60, hls)
        try await make("large.m3u8", size: "1920x1080", seconds: seconds + 8, hls)
        try "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,RESOLUTION=640x360\nclip.m3u8\n".write(
            to: folder.appending(path: "master.m3u8"), atomically: true, encoding: .utf8)
    }

    private func make(_ name: String, size: String, seconds: Double, _ options: [String]) async throws {
        let input = ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=30:duration=\(seconds)"]
        let audio = ["-f", "lavfi", "-i", "sine=duration=\(seconds)", "-c:a", "aac"]
        let video = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", "60"]
        let path = folder.appending(path: name).path()
        try await output(of: "ffmpeg", ["-v", "error", "-nostdin", "-y"] + input + audio + video + options + [path])
    }

    // MARK: Runs

    private func measure(
        _ situation: Situation, _ authority: TLSAuthority?, runs: Int, seconds: Double, seek: Double
    ) async throws -> [Program: [Figures]] {
        var figures: [Program: [Figures]] = [:]
        for number in 1...runs {
            say("\(situation.name), run \(number) of \(runs)")
            for program in Program.all {
                figures[program, default: []].append(
                    try await play(situation, in: program, authority, seconds: seconds, seek: seek))
            }
        }
        return figures
    }

    private func play(
        _ situation: Situation, in program: Program, _ authority: TLSAuthority?, seconds: Double, seek: Double
    ) async throws -> Figures {
        let hasTLS = situation.hasTLS
        let server = try DistantServer(serving: folder, roundTrip: situation.roundTrip, hasTLS: hasTLS)
        var figures: Figures
        if hasTLS, let authority {
            let proxy = try await TLSProxy(to: server.port, with: authority, in: folder)
            let url = "https://127.0.0.1:\(proxy.port)/\(situation.file)"
            figures = try await play(url, in: program, seconds: seconds, seek: seek) { authority.trusting($0) }
            try await proxy.stop()
        } else {
            let url = "http://127.0.0.1:\(server.port)/\(situation.file)"
            figures = try await play(url, in: program, seconds: seconds, seek: seek) { $0 }
        }
        figures.connections = Double(server.count.connections)
        figures.requests = Double(server.count.requests)
        return figures
    }

    private func play(
        _ url: String, in program: Program, seconds: Double, seek: Double, command: ([String]) -> [String]
    ) async throws -> Figures {
        if program == .mpv { return try await playInMPV(url, seconds: seconds, command: command) }
        let words = command([program.path, url, "\(seconds)", "\(seek)"])
        let text = try await output(of: words[0], Array(words.dropFirst()))
        let values = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard values.count == 5 else { throw Failure(description: "\(program.name) printed: \(text)") }
        return Figures(
            firstFrame: values[0], seek: values[1], cpu: values[2], threads: values[3], memory: values[4])
    }

    /// Reads the time of the first frame from mpv's log. mpv has no other figures.
    private func playInMPV(_ url: String, seconds: Double, command: ([String]) -> [String]) async throws -> Figures {
        let log = folder.appending(path: "mpv.log")
        let words = command([
            Program.mpv.path, "--no-config", "--vo=null", "--ao=null", "--hwdec=no", "--length=\(seconds)",
            "--log-file=\(log.path())", url,
        ])
        try await output(of: words[0], Array(words.dropFirst()))
        let text = try String(contentsOf: log, encoding: .utf8)
        func time(_ message: String) -> Double {
            let line = text.split(separator: "\n").first { $0.contains(message) }
            return (line?.firstMatch(of: /\[ *([\d.]+)\]/)).flatMap { Double($0.1) } ?? .nan
        }
        return Figures(firstFrame: (time("first video frame after restart shown") - time("Opening ")) * 1000)
    }

    // MARK: Reports

    private func report(_ figures: [Program: [Figures]], in situation: Situation) {
        for program in Program.all {
            func value(_ key: KeyPath<Figures, Double>) -> Double { median(figures[program]!.map { $0[keyPath: key] }) }
            let trips = value(\.firstFrame) / situation.roundTrip / 1000
            print(
                pad(situation.name, 28) + pad(program.name, 10) + String(format: "%11.0f", value(\.firstFrame))
                    + (trips.isFinite ? String(format: "%13.2f", trips) : "            -")
                    + (program == .mpv ? "       -" : String(format: "%8.0f", value(\.seek)))
                    + String(format: "%13.0f%10.0f", value(\.connections), value(\.requests)))
        }
    }

    private func judge(_ figures: [Program: [Figures]], in situation: Situation) -> [(String, Bool)] {
        let player = figures[.player]!
        let name = situation.name
        let ratio = median(ratios(figures, \.firstFrame))
        let text = String(format: "%@: first frame %.2f of the C program's, bound 1.00", name, ratio)
        var verdicts = [(text, ratio <= 1)]
        if let mostTrips = situation.mostTrips {
            let trips = median(player.map { $0.firstFrame / situation.roundTrip / 1000 })
            let text = String(format: "%@: first frame %.2f round trips, bound %.1f", name, trips, mostTrips)
            verdicts.append((text, trips <= mostTrips))
        }
        return verdicts + [judgeConnections(player, name)]
    }

    private func judgeConnections(_ figures: [Figures], _ name: String) -> (String, Bool) {
        let count = figures.map(\.connections).max()!
        let text = String(format: "%@: connections %.0f, bound %.0f", name, count, Self.mostConnections)
        return (text, count <= Self.mostConnections)
    }

    /// The ratios of the player to the C program, of the runs that followed each other.
    private func ratios(_ figures: [Program: [Figures]], _ key: KeyPath<Figures, Double>) -> [Double] {
        zip(figures[.player]!, figures[.peer]!).map { $0[keyPath: key] / $1[keyPath: key] }
    }

    private func measureCost() async throws -> [(String, Bool)] {
        let runs = max(1, runs / 3)
        let situation = Situation(file: "large.m3u8", roundTrip: 0, hasTLS: false)
        let figures = try await measure(situation, nil, runs: runs, seconds: seconds, seek: 0)
        print("\n\(seconds) s of 1080p HLS, medians of \(runs) runs")
        print("program     CPU ms  threads  memory MB  connections")
        for program in Program.all where program != .mpv {
            func value(_ key: KeyPath<Figures, Double>) -> Double { median(figures[program]!.map { $0[keyPath: key] }) }
            print(
                pad(program.name, 10)
                    + String(
                        format: "%8.0f%9.0f%11.1f%13.0f", value(\.cpu), value(\.threads), value(\.memory),
                        value(\.connections)))
        }
        let ratio = median(ratios(figures, \.cpu))
        let text = String(format: "1080p HLS: CPU %.2f of the C program's, bound %.2f", ratio, Self.mostCPU)
        return [(text, ratio <= Self.mostCPU), judgeConnections(figures[.player]!, "1080p HLS")]
    }
}

let arguments = CommandLine.arguments.dropFirst().compactMap(Double.init)
await runBenchmark(needs: ["ffmpeg": "ffmpeg"]) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "network-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let network = Network(
        runs: max(1, Int(arguments.first ?? 7)), seconds: arguments.dropFirst().first ?? 30, folder: folder)
    return try await network.run()
}
