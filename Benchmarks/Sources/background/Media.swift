import BenchmarkSupport
import Foundation
import Sound

/// What is played, made by ffmpeg in a folder of its own.
struct Media {
    static let segmentLength = 2.0

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "background-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    private static func tone(_ channel: Tone.Channel, seconds: Int) -> [String] {
        Tone.input(channel, seconds: Double(seconds)) + ["-c:a", "aac", "-b:a", "96k"]
    }

    private static func picture(_ size: String, rate: Int, bitRate: String, seconds: Int) -> [String] {
        ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=\(rate):duration=\(seconds)"]
            + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "\(2 * rate)", "-b:v", bitRate, "-maxrate", bitRate]
            + ["-bufsize", bitRate]
    }

    /// Takes the inputs out of what describes a picture and what describes a tone.
    private func encode(_ parts: [[String]], _ options: [String], to file: String) async throws -> URL {
        let inputs = parts.flatMap { $0.prefix(4) }
        let codecs = parts.flatMap { $0.dropFirst(4) }
        let url = folder.appending(path: file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let result = try await Command(
            "ffmpeg", ["-v", "error", "-nostdin", "-y"] + inputs + codecs + options + [url.path()]
        ).run()
        guard result.status == 0 else { throw Failure(description: "ffmpeg failed: \(result.errors)") }
        return url
    }

    private static let hls = ["-hls_time", "\(Int(segmentLength))", "-hls_playlist_type", "vod"]

    func file(seconds: Int) async throws -> URL {
        try await encode(
            [Self.picture("1280x720", rate: 30, bitRate: "3M", seconds: seconds), Self.tone(.both, seconds: seconds)],
            ["-preset", "veryfast", "-movflags", "+faststart"], to: "file.mp4")
    }

    /// HLS whose picture and sound are apart, in the files `video…` and `sound…`.
    func separate(seconds: Int) async throws -> URL {
        let fragments = Self.hls + ["-hls_segment_type", "fmp4"]
        _ = try await encode(
            [Self.picture("640x360", rate: 25, bitRate: "600k", seconds: seconds)],
            ["-preset", "ultrafast"] + fragments + ["-hls_fmp4_init_filename", "video.mp4"], to: "separate/video.m3u8")
        _ = try await encode(
            [Self.tone(.both, seconds: seconds)], fragments + ["-hls_fmp4_init_filename", "sound.mp4"],
            to: "separate/sound.m3u8")
        return try write(
            """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Tone",DEFAULT=YES,AUTOSELECT=YES,URI="sound.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2",AUDIO="sound"
            video.m3u8

            """, to: "separate/master.m3u8")
    }

    /// HLS with a variant of picture and sound, in the files `picture…`, and one of sound only, in the files `sound…`.
    /// The first sounds on the left, the other on the right.
    func joined(seconds: Int) async throws -> URL {
        // The same instant has the same time stamp in both.
        let stamps = [
            "-muxdelay", "0", "-muxpreload", "0", "-avoid_negative_ts", "disabled", "-output_ts_offset", "10",
        ]
        _ = try await encode(
            [Self.picture("640x360", rate: 25, bitRate: "600k", seconds: seconds), Self.tone(.left, seconds: seconds)],
            ["-preset", "ultrafast"] + stamps + Self.hls, to: "joined/picture.m3u8")
        _ = try await encode([Self.tone(.right, seconds: seconds)], stamps + Self.hls, to: "joined/sound.m3u8")
        return try write(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2"
            picture.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=130000,CODECS="mp4a.40.2"
            sound.m3u8

            """, to: "joined/master.m3u8")
    }

    private func write(_ playlist: String, to file: String) throws -> URL {
        let url = folder.appending(path: file)
        try Data(playlist.utf8).write(to: url)
        return url
    }

    /// The bytes of all segments of one playlist of a stream.
    func size(of prefix: String, in stream: String) throws -> Int {
        let folder = folder.appending(path: stream)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".m3u8") }
            .reduce(0) { try $0 + Data(contentsOf: folder.appending(path: $1)).count }
    }
}
