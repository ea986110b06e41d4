import Foundation

/// A private PulseAudio with one sink that goes nowhere and can be recorded.
public final class TestAudioServer: Sendable {
    public static let sampleRate = 48000

    /// The value of `PULSE_SERVER` for its clients.
    public let address: String
    private let directory: URL
    private let server: RunningCommand

    /// - Parameter modules: more modules to load, with their arguments.
    public init(modules: [String] = []) async throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "flowplayer-pulse-\(UUID().uuidString)")
        for folder in ["run", "home"] {
            try FileManager.default.createDirectory(
                at: directory.appending(path: folder), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let socket = directory.appending(path: "socket").path()
        address = "unix:\(socket)"
        var command = Command(
            "pulseaudio",
            [
                "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
                "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
                "-L", "module-null-sink sink_name=ci rate=\(Self.sampleRate) channels=2",
            ] + modules.flatMap { ["-L", $0] })
        command.environment = [
            "XDG_RUNTIME_DIR": directory.appending(path: "run").path(),
            "HOME": directory.appending(path: "home").path(),
        ]
        server = try await command.start()
        var info = Command("pactl", ["info"])
        info.environment = ["PULSE_SERVER": address]
        var refusal = ""
        let answers = try await eventually {
            let result = try await info.run()
            refusal = result.errors
            return result.status == 0
        }
        guard answers else {
            let errors = try server.errorsSoFar
            throw FixtureError(description: "PulseAudio does not answer: \(refusal) It has printed: \(errors)")
        }
    }

    deinit {
        server.signal(SIGTERM)
        try? FileManager.default.removeItem(at: directory)
    }

    /// Records what the sink is given, from before the body until after it. Samples are in `-1...1`.
    @MainActor
    public func recording(during body: @MainActor () async throws -> Void) async throws -> [Float] {
        let (recorder, file) = try await startRecording()
        try await body()
        let end = Self.size(of: file) + Self.sampleRate
        _ = await eventually { Self.size(of: file) >= end }
        recorder.signal(SIGTERM)
        _ = try await recorder.result
        return try Self.samples(of: file)
    }

    /// Waits until the sink is given a fifth of a second of a tone.
    ///
    /// - Parameter frequency: in hertz.
    public func hears(_ frequency: Double) async throws -> Bool {
        let (recorder, file) = try await startRecording()
        defer { recorder.signal(SIGTERM) }
        return try await eventually { ToneDetector.seconds(of: frequency, in: try Self.samples(of: file)) >= 0.2 }
    }

    private func startRecording() async throws -> (RunningCommand, URL) {
        let file = directory.appending(path: "\(UUID().uuidString).raw")
        var command = Command(
            "parec",
            [
                "-d", "ci.monitor", "--format=s16le", "--rate=\(Self.sampleRate)", "--channels=1",
                "--latency-msec=50", file.path(),
            ])
        command.environment = ["PULSE_SERVER": address]
        let recorder = try await command.start()
        let records = await eventually { Self.size(of: file) > 0 }
        guard records else { throw FixtureError(description: "parec records nothing") }
        return (recorder, file)
    }

    private static func samples(of file: URL) throws -> [Float] {
        try Data(contentsOf: file).withUnsafeBytes { bytes in
            bytes.bindMemory(to: Int16.self).map { Float($0) / 32768 }
        }
    }

    /// Waits until all streams that have to be silent are corked. The server requests no uncork of others.
    public func silencesCorkedStreamsOnly() async throws -> Bool {
        struct Stream: Decodable { let corked, mute: Bool }
        return try await eventually {
            let list = try await pactl("--format=json", "list", "sink-inputs")
            return try JSONDecoder().decode([Stream].self, from: Data(list.utf8)).allSatisfy { $0.corked || !$0.mute }
        }
    }

    /// Lets music and video give way to calls.
    public static let givingWay = "module-role-cork trigger_roles=phone cork_roles=music,video"

    /// Begins to play a tone as another program would.
    ///
    /// - Parameters:
    ///   - frequency: in hertz.
    ///   - role: the value of `media.role`.
    ///   - amplitude: in `0...1`.
    public func tone(
        _ frequency: Double, seconds: Double, role: String, amplitude: Double = 0.3
    ) async throws -> RunningCommand {
        let file = directory.appending(path: "\(UUID().uuidString).raw")
        // The second that is repeated has whole waves.
        let second = (0..<Self.sampleRate).map { index in
            Int16(32767 * amplitude * sin(2 * .pi * frequency.rounded() * Double(index) / Double(Self.sampleRate)))
        }
        let bytes = second.withUnsafeBytes { Data($0) }
        var samples = Data()
        for _ in 0..<Int(seconds.rounded(.up)) { samples += bytes }
        try samples.prefix(Int(seconds * Double(Self.sampleRate)) * 2).write(to: file)
        var command = Command(
            "paplay",
            [
                "--raw", "--format=s16le", "--rate=\(Self.sampleRate)", "--channels=1",
                "--property=media.role=\(role)", file.path(),
            ])
        command.environment = ["PULSE_SERVER": address]
        return try await command.start()
    }

    /// The number of streams that programs have opened so far. The stream that it counts with is one of them.
    public func countStreams() async throws -> Int {
        // The server numbers streams from 0, in the order of their opening.
        let numbers = {
            try await self.pactl("list", "short", "sink-inputs").split(separator: "\n").compactMap {
                $0.split(separator: "\t").first.flatMap { Int($0) }
            }
        }
        let others = try await numbers()
        let stream = try await tone(440, seconds: 30, role: "test", amplitude: 0)
        defer { stream.signal(SIGTERM) }
        var count: Int?
        _ = try await eventually {
            count = try await numbers().filter { !others.contains($0) }.max().map { $0 + 1 }
            return count != nil
        }
        guard let count else { throw FixtureError(description: "The stream that counts the others did not open") }
        return count
    }

    /// Runs `pactl`, and returns its output.
    @discardableResult
    public func pactl(_ arguments: String...) async throws -> String {
        var command = Command("pactl", arguments)
        command.environment = ["PULSE_SERVER": address]
        let result = try await command.run()
        guard result.status == 0 else { throw FixtureError(description: "pactl: \(result.errors)") }
        return result.output
    }

    private static func size(of file: URL) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: file.path())[.size] as? Int) ?? 0
    }
}

/// Finds a tone in audio, by Goertzel's algorithm.
public enum ToneDetector {
    /// Seconds of audio in which the tone dominates, in steps of 50 ms.
    public static func seconds(of frequency: Double, in samples: [Float], sampleRate: Int = TestAudioServer.sampleRate)
        -> Double
    {
        let window = sampleRate / 20
        let starts = stride(from: 0, through: samples.count - window, by: window)
        return Double(starts.count { dominates(frequency, samples[$0..<$0 + window], sampleRate) }) / 20
    }

    /// The longest gap between the tone's start and its end, in seconds, in steps of 50 ms.
    public static func longestGap(
        of frequency: Double, in samples: [Float], sampleRate: Int = TestAudioServer.sampleRate
    ) -> Double {
        let window = sampleRate / 20
        let isLoud = stride(from: 0, through: samples.count - window, by: window).map {
            dominates(frequency, samples[$0..<$0 + window], sampleRate)
        }
        let gaps = isLoud.drop { !$0 }.split(separator: true)
        return Double((isLoud.last == false ? gaps.dropLast() : gaps).map(\.count).max() ?? 0) / 20
    }

    /// From the end of one tone to the start of another that follows, in seconds, in steps of 10 ms. `nil` if either
    /// is not audible.
    public static func seconds(
        from first: Double, to second: Double, in samples: [Float], sampleRate: Int = TestAudioServer.sampleRate
    ) -> Double? {
        let window = sampleRate / 100
        let starts = Array(stride(from: 0, through: samples.count - window, by: window))
        func hasTone(_ frequency: Double, at start: Int) -> Bool {
            dominates(frequency, samples[start..<start + window], sampleRate)
        }
        guard let end = starts.last(where: { hasTone(first, at: $0) }),
            let begin = starts.first(where: { $0 > end && hasTone(second, at: $0) })
        else { return nil }
        return Double(begin - end) / Double(sampleRate)
    }

    /// The tones in the order in which they are heard, in steps of 50 ms. A tone that is heard twice in a row is there once.
    public static func order(
        of frequencies: [Double], in samples: [Float], sampleRate: Int = TestAudioServer.sampleRate
    ) -> [Double] {
        let window = sampleRate / 20
        return stride(from: 0, through: samples.count - window, by: window).reduce(into: []) { order, start in
            let heard = frequencies.first { dominates($0, samples[start..<start + window], sampleRate) }
            if let heard, heard != order.last { order.append(heard) }
        }
    }

    private static func dominates(_ frequency: Double, _ samples: ArraySlice<Float>, _ sampleRate: Int) -> Bool {
        let coefficient = 2 * cos(2 * .pi * frequency / Double(sampleRate))
        var (s1, s2, power) = (0.0, 0.0, 0.0)
        for sample in samples.lazy.map(Double.init) {
            (s1, s2) = (sample + coefficient * s1 - s2, s1)
            power += sample * sample
        }
        let tone = (s1 * s1 + s2 * s2 - coefficient * s1 * s2) * 2 / Double(samples.count)
        return power > 1e-6 * Double(samples.count) && tone > 0.5 * power
    }
}
