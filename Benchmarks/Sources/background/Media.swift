import Foundation
import Measuring

/// The items, which ffmpeg makes in a temporary folder.
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

    private static func video(_ size: String, rate: Int, bitRate: String, seconds: Int) -> [String] {
        ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=\(rate):duration=\(seconds)"]
            + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "\(2 * rate)", "-b:v", bitRate, "-maxrate", bitRate]
            + ["-bufsize", bitRate]
    }

    /// Encodes the video and the tone. The first four arguments of each part are its input.
    private func encode(_ parts: [[String]], _ options: [String], to file: String) async throws -> URL {
        let inputs = parts.flatMap { $0.prefix(4) }
        let codecs = parts.flatMap { $0.dropFirst(4) }
        let url = folder.appending(path: file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try await output(
            of: "ffmpeg", ["-v", "error", "-nostdin", "-y"] + inputs + codecs + options + [url.path()])
        return url
    }

    private static let hls = ["-hls_time", "\(Int(segmentLength))", "-hls_playlist_type", "vod"]

    func file(seconds: Int) async throws -> URL {
        try await encode(
            [Self.video("1280x720", rate: 30, bitRate: "3M", seconds: seconds), Self.tone(.both, seconds: seconds)],
            ["-preset", "veryfast", "-movflags", "+faststart"], to: "file.mp4")
    }

    /// HLS with separate video and audio, in the files `video…` and `audio…`.
    func separate(seconds: Int) async throws -> URL {
        let fragments = Self.hls + ["-hls_segment_type", "fmp4"]
        _ = try await encode(
            [Self.video("640x360", rate: 25, bitRate: "600k", seconds: seconds)],
            ["-preset", "ultrafast"] + fragments + ["-hls_fmp4_init_filename", "video.mp4"], to: "separate/video.m3u8")
        _ = try await encode(
            [Self.tone(.both, seconds: seconds)], fragments + ["-hls_fmp4_init_filename", "audio.mp4"],
            to: "separate/audio.m3u8")
        return try write(
            """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Tone",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2",AUDIO="audio"
            video.m3u8

            """, to: "separate/master.m3u8")
    }

    /// HLS with a muxed variant, in the files `video…`, and an audio-only variant, in the files `audio…`.
    /// The muxed variant uses the left channel, the other one the right channel.
    func joined(seconds: Int) async throws -> URL {
        // The same instant has the same time stamp in both.
        let stamps = [
            "-muxdelay", "0", "-muxpreload", "0", "-avoid_negative_ts", "disabled", "-output_ts_offset", "10",
        ]
        _ = try await encode(
            [Self.video("640x360", rate: 25, bitRate: "600k", seconds: seconds), Self.tone(.left, seconds: seconds)],
            ["-preset", "ultrafast"] + stamps + Self.hls, to: "joined/video.m3u8")
        _ = try await encode([Self.tone(.right, seconds: seconds)], stamps + Self.hls, to: "joined/audio.m3u8")
        return try write(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2"
            video.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=130000,CODECS="mp4a.40.2"
            audio.m3u8

            """, to: "joined/master.m3u8")
    }

    private func write(_ playlist: String, to file: String) throws -> URL {
        let url = folder.appending(path: file)
        try Data(playlist.utf8).write(to: url)
        return url
    }

    /// The size of all segments of one playlist of a stream, in bytes.
    func size(of prefix: String, in stream: String) throws -> Int {
        let folder = folder.appending(path: stream)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".m3u8") }
            .reduce(0) { try $0 + Data(contentsOf: folder.appending(path: $1)).count }
    }
}
