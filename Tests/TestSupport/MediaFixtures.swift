import Foundation

/// Media that ffmpeg makes for the tests of one process, each when it is first asked for.
public actor MediaFixtures {
    public static let shared = MediaFixtures()

    /// Seconds that every medium lasts if it does not say otherwise.
    public static let duration = 2.0
    /// Of the sound in every medium, in hertz.
    public static let frequency = 440.0

    /// Removed when the process ends.
    public nonisolated let directory: URL
    private var made: [String: Task<URL, any Error>] = [:]

    private init() {
        directory = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID().uuidString)")
        Self.removeAtExit = directory.path()
        atexit { try? FileManager.default.removeItem(atPath: MediaFixtures.removeAtExit) }
    }

    // Written once, before `atexit` can read it.
    private nonisolated(unsafe) static var removeAtExit = ""

    /// A medium in the format of the extension: mp4, mkv, webm, ts with picture and sound, mp3, flac, ogg, wav with
    /// sound, m3u8 for HLS.
    public func medium(_ format: String) async throws -> URL {
        try await make(format == "m3u8" ? "hls/clip.m3u8" : "clip.\(format)") { url in
            try await ffmpeg(Self.arguments(format: format), to: url)
        }
    }

    /// A picture of one colour, with the tone.
    public func solid(colour: String, size: String = "320x180", duration: Double = 2) async throws -> URL {
        try await make("solid-\(colour)-\(size)-\(duration).mp4") { url in
            let picture = "color=c=\(colour):size=\(size):rate=25:duration=\(duration)"
            try await ffmpeg(Self.input(picture: picture, seconds: duration) + Self.h264, to: url)
        }
    }

    /// Picture and tone, so many seconds long.
    public func long(seconds: Double) async throws -> URL {
        try await make("long-\(seconds).mp4") { url in
            try await ffmpeg(Self.input(seconds: seconds) + Self.h264 + ["-movflags", "+faststart"], to: url)
        }
    }

    /// A picture without sound.
    public func silent() async throws -> URL {
        try await make("silent.mp4") { url in
            try await ffmpeg(Self.input() + Self.h264 + ["-an"], to: url)
        }
    }

    /// The first part of a medium that is longer.
    public func truncated() async throws -> URL {
        let whole = try Data(contentsOf: try await long(seconds: 12))
        return try await bytes("truncated.mp4", whole.prefix(whole.count / 4))
    }

    /// A file with these bytes.
    public func bytes(_ name: String, _ bytes: Data) async throws -> URL {
        try await make(name) { try bytes.write(to: $0) }
    }

    /// A sound of variable bit rate that does not say how long it is, and begins so quietly that it seems far longer.
    public func misleadingMP3() async throws -> URL {
        try await make("misleading.mp3") { url in
            try await ffmpeg(
                [
                    "-f", "lavfi", "-i", "aevalsrc=0:d=2", "-f", "lavfi", "-i", "anoisesrc=d=2:a=0.8:seed=1",
                    "-filter_complex", "[0][1]concat=n=2:v=0:a=1", "-write_xing", "0", "-q:a", "2",
                ], to: url)
        }
    }

    private func make(_ name: String, _ body: @escaping @Sendable (URL) async throws -> Void) async throws -> URL {
        if let task = made[name] { return try await task.value }
        let url = directory.appending(path: name)
        let task = Task {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try await body(url)
            return url
        }
        made[name] = task
        return try await task.value
    }

    private static let h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac"]

    private static func input(picture: String? = nil, seconds: Double = duration) -> [String] {
        let source = picture ?? "testsrc2=size=320x180:rate=25:duration=\(seconds)"
        return ["-f", "lavfi", "-i", source] + tone(seconds)
    }

    private static func tone(_ seconds: Double = duration) -> [String] {
        ["-f", "lavfi", "-i", "sine=frequency=\(Int(frequency)):duration=\(seconds):sample_rate=48000"]
    }

    private static func arguments(format: String) -> [String] {
        switch format {
        case "mp4", "mkv": input() + h264
        case "webm": input() + ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]
        // Without the delay that ffmpeg puts before the first picture: libVLC counts it as part of the medium.
        case "ts": input() + h264 + ["-muxdelay", "0", "-muxpreload", "0"]
        case "ogg": tone() + ["-c:a", "libvorbis"]
        case "m3u8": input() + h264 + ["-hls_time", "1", "-hls_playlist_type", "vod"]
        default: tone()
        }
    }
}

private func ffmpeg(_ arguments: [String], to url: URL) async throws {
    let result = try await Command("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + [url.path()]).run()
    guard result.status == 0 else { throw FixtureError(description: "ffmpeg failed: \(result.errors)") }
}

/// A fixture could not be made: the test cannot be run, and fails.
public struct FixtureError: Error, CustomStringConvertible {
    public let description: String
}
