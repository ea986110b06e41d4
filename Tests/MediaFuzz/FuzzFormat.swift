import Foundation
import TestSupport

/// A format of the mutants.
enum FuzzFormat: String, CaseIterable, Sendable {
    case mp4, mkv, webm, ts, mp3, flac, ogg, opus, wav, avi
    /// A playlist and its segments, over HTTP.
    case hls

    /// In seconds.
    static let duration = 0.6

    /// The arguments of ffmpeg. The output is the same in each run.
    private var arguments: [String] {
        let video = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=\(Self.duration)"]
        let audio = ["-f", "lavfi", "-i", "sine=frequency=440:duration=\(Self.duration):sample_rate=16000"]
        let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "5", "-c:a", "aac"]
        switch self {
        case .mp4, .mkv: return video + audio + h264
        case .webm: return video + audio + ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]
        case .ts: return video + audio + h264 + ["-muxdelay", "0", "-muxpreload", "0"]
        case .avi: return video + audio + ["-c:v", "mpeg4", "-c:a", "pcm_s16le"]
        case .ogg: return audio + ["-c:a", "libvorbis", "-f", "ogg"]
        case .opus: return audio + ["-c:a", "libopus", "-f", "ogg"]
        case .mp3, .flac, .wav: return audio
        case .hls:
            return video + audio + h264
                + ["-muxdelay", "0", "-muxpreload", "0", "-f", "hls", "-hls_time", "0.3", "-hls_playlist_type", "vod"]
        }
    }

    private static let exact = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags", "+bitexact", "-threads", "1"]

    /// Makes the original: its files by name. The first is mutated most.
    func whole(in folder: URL) async throws -> [String: Data] {
        let own = folder.appending(path: rawValue)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let file = own.appending(path: "clip.\(self == .hls ? "m3u8" : rawValue)")
        let all = ["-v", "error", "-nostdin", "-y"] + arguments + Self.exact + [file.path()]
        let result = try await Command("ffmpeg", all).run()
        guard result.status == 0 else { throw FixtureError(description: "ffmpeg failed: \(result.errors)") }
        let names = try FileManager.default.contentsOfDirectory(atPath: own.path())
        return try names.reduce(into: [:]) { $0[$1] = try Data(contentsOf: own.appending(path: $1)) }
    }

    /// The shape of one of its files.
    func shape(of name: String, _ bytes: [UInt8]) -> MediaShape {
        switch name.hasSuffix(".ts") ? .ts : self {
        case .mp4: MediaShape(boxes: bytes)
        case .mkv, .webm: MediaShape(elements: bytes)
        case .wav, .avi: MediaShape(chunks: bytes)
        case .ts: MediaShape(packets: bytes)
        case .ogg, .opus: MediaShape(marks: bytes, "OggS".utf8.map { ($0, 0xFF) }, length: 26..<28)
        case .mp3: MediaShape(marks: bytes, [(0xFF, 0xFF), (0xE0, 0xE0)], length: 1..<3)
        case .flac: MediaShape(marks: bytes, [(0xFF, 0xFF), (0xF8, 0xFC)], length: 2..<4)
        case .hls: MediaShape(lines: bytes)
        }
    }
}
