import Foundation

/// Media that ffmpeg makes for the tests of one process, each when it is first asked for.
public actor MediaFixtures {
    public static let shared = MediaFixtures()

    /// The default duration of a file, in seconds.
    public static let duration = 2.0
    /// The frequency of the tone in every file, in hertz.
    public static let frequency = 440.0

    /// Removed when the process ends.
    public nonisolated let directory: URL
    private var made: [String: Task<URL, any Error>] = [:]
    private var contents: [String: String] = [:]

    private init() {
        directory = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID().uuidString)")
        Self.removeAtExit = directory.path()
        atexit { try? FileManager.default.removeItem(atPath: MediaFixtures.removeAtExit) }
    }

    // Written once, before `atexit` can read it.
    private nonisolated(unsafe) static var removeAtExit = ""

    /// A file in the format of the extension: mp4, mkv, webm and ts with video and audio; mp3, flac, ogg and wav with
    /// audio; m3u8 for HLS.
    public func file(_ format: String, frequency: Double = frequency) async throws -> URL {
        let name = frequency == Self.frequency ? "clip" : "clip-\(Int(frequency))"
        return try await make(format == "m3u8" ? "hls/\(name).m3u8" : "\(name).\(format)") { url in
            try await ffmpeg(Self.arguments(format: format, frequency), to: url)
        }
    }

    /// Video of one colour, with the tone.
    public func solid(
        colour: String, size: String = "320x180", duration: Double = 2, hasOnlyKeyFrames: Bool = false
    ) async throws -> URL {
        let encoder = hasOnlyKeyFrames ? ["-g", "1"] : []
        let source = "color=c=\(colour):size=\(size):rate=25"
        let clip = try await clip(source, seconds: duration, encoder: encoder, repeatsTone: true)
        let name = "solid-\(colour)-\(size)-\(duration)\(hasOnlyKeyFrames ? "-key" : "").mp4"
        return try await make(name) { url in try await ffmpeg(clip, to: url) }
    }

    /// Video of colours one after another, without audio.
    ///
    /// - Parameters:
    ///   - seconds: the duration of each colour.
    ///   - chapters: `true` for a chapter with each colour. Their titles are the colours.
    public func colours(_ colours: [String], seconds: Double, chapters: Bool = false) async throws -> URL {
        let name = "colours-\(colours.joined(separator: "-"))-\(seconds)-\(chapters)"
        var lines = [";FFMETADATA1"]
        for (index, colour) in colours.enumerated() where chapters {
            let start = Int(Double(index) * seconds)
            lines += ["[CHAPTER]", "TIMEBASE=1/1", "START=\(start)", "END=\(start + Int(seconds))", "title=\(colour)"]
        }
        let metadata = try await bytes(name + ".txt", Data((lines.joined(separator: "\n") + "\n").utf8))
        let inputs = colours.flatMap {
            ["-f", "lavfi", "-i", "color=c=\($0):size=320x180:rate=25:duration=\(seconds)"]
        }
        return try await make(name + ".mp4") { url in
            let filter = "concat=n=\(colours.count):v=1:a=0"
            let output = ["-filter_complex", filter, "-map_metadata", "\(colours.count)"]
            try await ffmpeg(inputs + ["-i", metadata.path()] + output + Self.h264, to: url)
        }
    }

    /// An image of parts side by side, each of one colour.
    ///
    /// - Parameters:
    ///   - format: `jpg` or `png`.
    ///   - size: the size of a part.
    public func sprites(_ colours: [String], _ format: String, size: String = "160x90") async throws -> URL {
        try await make("sprites-\(colours.joined(separator: "-"))-\(size).\(format)") { url in
            let inputs = colours.flatMap { ["-f", "lavfi", "-i", "color=c=\($0):size=\(size)"] }
            let filter = ["-filter_complex", "hstack=inputs=\(colours.count)", "-frames:v", "1"]
            try await ffmpeg(inputs + filter, to: url)
        }
    }

    /// Red video of 320 × 240 pixels whose upper tenth is blue, with the tone.
    public func banded(seconds: Double) async throws -> URL {
        let video = "color=c=red:size=320x240:rate=25,drawbox=height=ih/10:color=blue:thickness=fill"
        let clip = try await clip(video, seconds: seconds, repeatsTone: true)
        return try await make("banded-\(seconds).mp4") { url in try await ffmpeg(clip, to: url) }
    }

    /// Video of 704 × 576 pixels whose aspect ratio is given, such as "16/11", with the tone.
    public func oblong(pixels ratio: String, _ format: String = "mp4") async throws -> URL {
        try await make("oblong-\(ratio.replacing("/", with: "-")).\(format)") { url in
            let video = "testsrc2=size=704x576:rate=25:duration=\(Self.duration),setsar=\(ratio)"
            try await ffmpeg(Self.input(video: video) + Self.h264, to: url)
        }
    }

    /// Video of 320 × 180 pixels that is shown with its blue right side up, and the tone.
    public func rotated() async throws -> URL {
        let plain = try await make("unrotated.mp4") { url in
            let red = "drawbox=width=iw/2:color=red:thickness=fill"
            let video = "color=c=blue:size=320x180:rate=25:duration=\(Self.duration),\(red)"
            try await ffmpeg(Self.input(video: video) + Self.h264, to: url)
        }
        return try await make("rotated.mp4") { url in
            try await ffmpeg(["-i", plain.path(), "-c", "copy", "-metadata:s:v", "rotate=90"], to: url)
        }
    }

    /// A folder with `ramp.mp4`, and `ramp.m3u8` in segments of four seconds. Sixteen seconds of video that starts with the luma 20
    /// and grows brighter by 12 each second, and a tone.
    ///
    /// - Parameter isSparse: `true` for one key frame and one segment.
    public func ramp(size: String = "64x64", isSparse: Bool = false) async throws -> URL {
        let seconds = 16.0
        let video = "color=c=black:s=\(size):r=25:d=\(seconds),geq=lum='20+T*12':cb=128:cr=128"
        let keyframes = isSparse ? ["-g", "400", "-sc_threshold", "0"] : []
        let arguments = Self.input(video: video, seconds: seconds) + Self.h264 + keyframes
        let name = isSparse ? "sparse-ramp-\(size)" : "ramp-\(size)"
        let file = try await make("\(name)/ramp.mp4") { url in
            try await ffmpeg(arguments + ["-movflags", "+faststart"], to: url)
        }
        let folder = file.deletingLastPathComponent()
        let length = isSparse ? "16" : "4"
        let hls = ["-hls_time", length, "-hls_playlist_type", "vod", "-muxdelay", "0", "-muxpreload", "0"]
        _ = try await make("\(name)/ramp.m3u8") { url in try await ffmpeg(arguments + hls, to: url) }
        return folder
    }

    /// Ten seconds with 24 frames a second and a tone. Frame N has the luma 16 + 8 N, which restarts each second.
    public func numberedFrames() async throws -> URL {
        let video = "color=c=black:s=64x64:r=24:d=10,geq=lum='16+mod(N,24)*8':cb=128:cr=128"
        return try await make("numbered-frames.mp4") { url in
            try await ffmpeg(Self.input(video: video, seconds: 10) + Self.h264 + ["-crf", "10"], to: url)
        }
    }

    /// Video and tone of a duration.
    public func long(seconds: Double, _ format: String = "mp4") async throws -> URL {
        let clip = try await clip(seconds: seconds)
        return try await make("long-\(seconds).\(format)") { url in
            try await ffmpeg(clip + ["-movflags", "+faststart"], to: url)
        }
    }

    /// Forty seconds of video that a client can join at each half second, and the tone.
    public func broadcast() async throws -> URL {
        let clip = try await clip(seconds: 40, encoder: ["-g", "12"])
        return try await make("broadcast.mp4") { url in try await ffmpeg(clip, to: url) }
    }

    /// Sixty megabytes of noise, and the tone: four minutes, of which a player downloads 8 MB in advance.
    public func noise() async throws -> URL {
        let video = "color=c=black:size=320x180:rate=25,noise=alls=60:allf=t"
        let rate = ["-preset", "ultrafast", "-b:v", "2M", "-maxrate", "2M", "-bufsize", "2M"]
        let clip = try await clip(video, seconds: 240, encoder: rate)
        return try await make("noisy-video.mp4") { url in
            try await ffmpeg(clip + ["-movflags", "+faststart"], to: url)
        }
    }

    /// Eight megabytes of noise, with the tone: eight seconds, of which a player reads a part in advance.
    public func noise(size: String) async throws -> URL {
        let video = "color=c=black:size=\(size):rate=25,noise=alls=100:allf=t"
        let clip = try await clip(video, seconds: 8, encoder: ["-preset", "ultrafast", "-b:v", "8M"])
        return try await make("noisy-\(size).mp4") { url in
            try await ffmpeg(clip + ["-movflags", "+faststart"], to: url)
        }
    }

    /// Damaged video, with the tone or alone.
    public func undecodable(withAudio: Bool) async throws -> URL {
        try await make("undecodable-\(withAudio).mp4") { url in
            let noise = ["-bsf:v", "noise=amount=1"] + (withAudio ? [] : ["-an"])
            try await ffmpeg(Self.input(seconds: 12) + Self.h264 + noise, to: url)
        }
    }

    /// The tone alone, at another sample rate or of another length.
    public func audio(
        _ format: String, rate: Int = 48000, frequency: Double = frequency, seconds: Double = duration
    ) async throws -> URL {
        try await make("audio-\(Int(frequency))-\(rate)-\(seconds).\(format)") { url in
            try await ffmpeg(Self.tone(seconds, frequency: frequency, rate: rate), to: url)
        }
    }

    /// Video without audio.
    public func silent(seconds: Double = duration) async throws -> URL {
        try await make("silent-\(seconds).mp4") { url in
            try await ffmpeg(Self.input(seconds: seconds) + Self.h264 + ["-an"], to: url)
        }
    }

    /// The first quarter of a file.
    public func truncated() async throws -> URL {
        let whole = try Data(contentsOf: try await long(seconds: 12))
        return try await bytes("truncated.mp4", whole.prefix(whole.count / 4))
    }

    /// A file with these bytes.
    public func bytes(_ name: String, _ bytes: Data) async throws -> URL {
        try await make(name, content: "\(bytes.count) bytes, \(bytes.hashValue)") { try bytes.write(to: $0) }
    }

    /// Audio of variable bit rate without a duration. Its quiet start makes the estimated duration far too long.
    public func misleadingMP3() async throws -> URL {
        try await make("misleading.mp3") { url in
            try await ffmpeg(
                [
                    "-f", "lavfi", "-i", "aevalsrc=0:d=2", "-f", "lavfi", "-i", "anoisesrc=d=2:a=0.8:seed=1",
                    "-filter_complex", "[0][1]concat=n=2:v=0:a=1", "-write_xing", "0", "-q:a", "2",
                ], to: url)
        }
    }

    /// Video with an English tone of 440 Hz, a German tone of 880 Hz, and subtitles in both languages.
    ///
    /// - Parameter format: `srt` or `ass`.
    public func tracks(seconds: Double = 8, subtitles format: String = "srt") async throws -> URL {
        let english = try await subtitles("english-\(seconds).srt", [(0, seconds, "Hello")])
        let german = try await subtitles("german-\(seconds).srt", [(0, seconds, "Hallo")])
        let video = try await solid(colour: "black", duration: seconds)
        return try await make("tracks-\(seconds)-\(format).mkv") { url in
            try await ffmpeg(
                ["-i", video.path()] + Self.tone(seconds) + Self.tone(seconds, frequency: 880) + [
                    "-i", english.path(), "-i", german.path(), "-map", "0:v", "-map", "1", "-map", "2", "-map", "3",
                    "-map", "4", "-c:v", "copy", "-c:a", "aac",
                    "-metadata", "title=Two of each", "-c:s", format, "-metadata:s:a:0", "language=eng",
                    "-metadata:s:a:0", "title=English",
                    "-metadata:s:a:1", "language=deu", "-metadata:s:a:1", "title=Deutsch",
                    "-metadata:s:s:0", "language=eng", "-metadata:s:s:1", "language=deu",
                    "-disposition:s:0", "0", "-disposition:s:1", "0",
                ], to: url)
        }
    }

    /// A subtitle file. Each cue has a start and an end in seconds, and a string. The extension decides between SRT and WebVTT.
    public func subtitles(_ name: String, _ cues: [(from: Double, to: Double, text: String)]) async throws -> URL {
        try await bytes(name, Data(Self.text(of: cues, isWebVTT: name.hasSuffix(".vtt")).utf8))
    }

    private static func text(of cues: [(from: Double, to: Double, text: String)], isWebVTT: Bool) -> String {
        func time(_ seconds: Double) -> String {
            let milliseconds = Int(seconds * 1000)
            let text = String(
                format: "%02d:%02d:%02d.%03d", milliseconds / 3_600_000, milliseconds / 60_000 % 60,
                milliseconds / 1000 % 60, milliseconds % 1000)
            return isWebVTT ? text : text.replacing(".", with: ",")
        }
        let blocks = cues.enumerated().map { index, cue in
            "\(index + 1)\n\(time(cue.from)) --> \(time(cue.to))\n\(cue.text)\n"
        }
        return (isWebVTT ? "WEBVTT\n\n" : "") + blocks.joined(separator: "\n")
    }

    /// An HLS stream of three minutes of black video, with WebVTT in segments of ten seconds. A cue is shown in the first minute, and one in
    /// the third. The times of MPEG-TS begin at 1000 s. Damaged cues have times of centuries, and another subtitle playlist is missing.
    ///
    /// - Parameter format: `mpegts` or `fmp4`.
    public func hlsSubtitles(_ format: String) async throws -> URL {
        let video = try await solid(colour: "black", duration: 180)
        let cues = [(from: 0.0, to: 60.0, text: "Early"), (from: 120, to: 180, text: "Late")]
        let start = format == "mpegts" ? 1000.0 : 0
        return try await make("subtitles-\(format)/stream.m3u8") { url in
            let folder = url.deletingLastPathComponent()
            let hls = [
                "-c", "copy", "-f", "hls", "-hls_time", "10", "-hls_list_size", "0", "-hls_segment_type", format,
            ]
            let times = ["-muxdelay", "0", "-output_ts_offset", "\(start)"]
            try await ffmpeg(["-i", video.path()] + hls + times, to: folder.appending(path: "video.m3u8"))
            var list = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n"
            for second in stride(from: 0.0, to: 180, by: 10) {
                let shown = cues.filter { $0.from < second + 10 && $0.to > second }
                let map = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(Int(start * 90_000))\n"
                let damaged = "\n\n2562047:00:00.000 --> 2562048:00:00.000\nNever\n"
                let text = Self.text(of: shown, isWebVTT: true).replacing("WEBVTT\n", with: map) + damaged
                try Data(text.utf8).write(to: folder.appending(path: "\(Int(second)).vtt"))
                list += "#EXTINF:10,\n\(Int(second)).vtt\n"
            }
            try Data((list + "#EXT-X-ENDLIST\n").utf8).write(to: folder.appending(path: "english.m3u8"))
            let media = ["english", "missing"].map { name in
                let attributes = "NAME=\"\(name)\",LANGUAGE=\"en\",URI=\"\(name).m3u8\""
                return "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"text\",\(attributes)\n"
            }
            let variant = "#EXT-X-STREAM-INF:BANDWIDTH=500000,SUBTITLES=\"text\"\nvideo.m3u8\n"
            try Data(("#EXTM3U\n" + media.joined() + variant).utf8).write(to: url)
        }
    }

    /// Audio with title, artist, album, cover and, where the format has them, chapters.
    public func tagged(_ format: String) async throws -> URL {
        let cover = try await make("cover.png") { url in
            try await ffmpeg(["-f", "lavfi", "-i", "color=c=red:size=64x64", "-frames:v", "1"], to: url)
        }
        let chapters = try await bytes(
            "chapters.txt",
            Data(
                """
                ;FFMETADATA1
                title=A Title
                artist=An Artist
                album=An Album
                [CHAPTER]
                TIMEBASE=1/1000
                START=0
                END=1000
                title=Intro
                [CHAPTER]
                TIMEBASE=1/1000
                START=1000
                END=2000
                title=Rest

                """.utf8))
        return try await make("tagged.\(format)") { url in
            let withCover = ["mp3", "flac"].contains(format)
            let inputs = Self.tone() + (withCover ? ["-i", cover.path()] : []) + ["-i", chapters.path()]
            let metadata = withCover ? "2" : "1"
            let maps = ["-map", "0"] + (withCover ? ["-map", "1", "-disposition:v", "attached_pic"] : [])
            try await ffmpeg(
                inputs + maps + ["-map_metadata", metadata, "-map_chapters", metadata, "-id3v2_version", "3"], to: url)
        }
    }

    /// An HLS master playlist with variants of 180, 360 and 720 lines that need 300, 800 and 2000 kbit/s, as it says.
    public func variants(seconds: Int = 12) async throws -> URL {
        var clips: [(height: Int, clip: [String])] = []
        for (height, rate) in [(180, "200k"), (360, "600k"), (720, "1500k")] {
            let video = "testsrc2=size=\(height * 16 / 9)x\(height):rate=25"
            let encoder = ["-preset", "ultrafast", "-b:v", rate, "-maxrate", rate, "-bufsize", rate]
            clips.append((height, try await clip(video, seconds: Double(seconds), encoder: encoder)))
        }
        return try await make("variants-\(seconds)/master.m3u8") { [clips] url in
            let folder = url.deletingLastPathComponent()
            let hls = ["-muxdelay", "0", "-muxpreload", "0", "-hls_time", "2", "-hls_playlist_type", "vod"]
            for (height, clip) in clips {
                try await ffmpeg(clip + hls, to: folder.appending(path: "\(height).m3u8"))
            }
            let master = """
                #EXTM3U
                #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.42c01e,mp4a.40.2"
                180.m3u8
                #EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,CODECS="avc1.42c01e,mp4a.40.2"
                360.m3u8
                #EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,CODECS="avc1.42c01e,mp4a.40.2"
                720.m3u8

                """
            try Data(master.utf8).write(to: url)
        }
    }

    /// An HLS master playlist with separate video and audio, in segments of a second.
    public func separate(seconds: Int = 12) async throws -> URL {
        let clip = try await clip(seconds: Double(seconds))
        return try await make("separate-\(seconds)/master.m3u8") { url in
            let folder = url.deletingLastPathComponent()
            let hls = ["-hls_time", "1", "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4"]
            try await ffmpeg(
                clip + ["-an", "-hls_fmp4_init_filename", "video.mp4"] + hls, to: folder.appending(path: "video.m3u8"))
            try await ffmpeg(
                Self.tone(Double(seconds)) + ["-c:a", "aac", "-hls_fmp4_init_filename", "audio.mp4"] + hls,
                to: folder.appending(path: "audio.m3u8"))
            let master = """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Tone",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=320x180,CODECS="avc1.640015,mp4a.40.2",AUDIO="audio"
                video.m3u8

                """
            try Data(master.utf8).write(to: url)
        }
    }

    /// An HLS master playlist with a muxed variant and an audio-only variant, in segments of a second.
    public func joined(seconds: Int = 12) async throws -> URL {
        let clip = try await clip(seconds: Double(seconds))
        return try await make("joined-\(seconds)/master.m3u8") { url in
            let folder = url.deletingLastPathComponent()
            let hls = ["-muxdelay", "0", "-muxpreload", "0", "-hls_time", "1", "-hls_playlist_type", "vod"]
            try await ffmpeg(clip + hls, to: folder.appending(path: "muxed.m3u8"))
            try await ffmpeg(
                Self.tone(Double(seconds)) + ["-c:a", "aac"] + hls, to: folder.appending(path: "audio.m3u8"))
            let master = """
                #EXTM3U
                #EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180,CODECS="avc1.640015,mp4a.40.2"
                muxed.m3u8
                #EXT-X-STREAM-INF:BANDWIDTH=90000,CODECS="mp4a.40.2"
                audio.m3u8

                """
            try Data(master.utf8).write(to: url)
        }
    }

    /// An HLS master playlist of MPEG-TS with German audio of 880 Hz and English audio of 440 Hz, which is the default.
    public func languages(seconds: Int = 4) async throws -> URL {
        try await make("languages-\(seconds)/master.m3u8") { url in
            let folder = url.deletingLastPathComponent()
            let hls = ["-hls_time", "1", "-hls_playlist_type", "vod", "-muxdelay", "0", "-muxpreload", "0"]
            let length = Double(seconds)
            try await ffmpeg(
                Self.input(seconds: length) + Self.h264 + ["-an"] + hls, to: folder.appending(path: "video.m3u8"))
            for (name, frequency) in [("english", 440.0), ("german", 880)] {
                let tone = Self.tone(length, frequency: frequency) + ["-c:a", "aac"]
                try await ffmpeg(tone + hls, to: folder.appending(path: "\(name).m3u8"))
            }
            let master = """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",AUTOSELECT=YES,URI="german.m3u8"
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="english.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=320x180,CODECS="avc1.640015,mp4a.40.2",AUDIO="a"
                video.m3u8

                """
            try Data(master.utf8).write(to: url)
        }
    }

    /// The forms in which DASH manifests name segments: by a timeline, by numbers, in a list, and by an index in the file.
    public static let dashForms = ["timeline", "numbers", "list", "index"]

    /// A DASH manifest with video of 90, 180 and 360 lines that needs 100, 300 and 900 kbit/s, and English and German audio. In
    /// segments of a second, or of `segment` seconds. Beside it is `master.m3u8`, an HLS playlist of the same segments.
    public func dash(_ form: String = "timeline", seconds: Int = 4, segment: Int = 1) async throws -> URL {
        let streams = try await dashStreams(seconds: seconds)
        return try await make("dash-\(form)-\(seconds)-\(segment)/stream.mpd") { url in
            let sets = ["-adaptation_sets", "id=0,streams=v id=1,streams=3 id=2,streams=4"]
            let forms = ["timeline": [], "numbers": ["-use_timeline", "0"]]
            try await ffmpeg(
                ["-i", streams.path(), "-map", "0", "-c", "copy"]
                    + ["-f", "dash", "-seg_duration", "\(segment)", "-hls_playlist", "1"] + sets
                    + (forms[form] ?? ["-single_file", "1", "-global_sidx", form == "index" ? "1" : "0"]), to: url)
            guard form == "index" else { return }
            // ffmpeg writes the index, and does not name it.
            let text = try String(contentsOf: url, encoding: .utf8)
            try Data(text.replacing(/<SegmentList[\s\S]*?<\/SegmentList>/, with: "<SegmentBase/>").utf8).write(to: url)
        }
    }

    /// An mp4 file of six seconds with few frames: `slow` has one a second, and the video of `still` and `short` ends before the audio.
    public func sparse(_ kind: String) async throws -> URL {
        let source = "testsrc2=size=320x180:rate=\(kind == "slow" ? 1 : 25)"
        let seconds = kind == "slow" ? 6 : kind == "still" ? 0.04 : 3
        let inputs = ["-t", "\(seconds)", "-f", "lavfi", "-i", source] + (kind == "slow" ? [] : Self.tone(6))
        return try await make("sparse-\(kind).mp4") { try await ffmpeg(inputs + Self.h264, to: $0) }
    }

    /// A file of two seconds, mp4 of six, whose times begin at 20 s.
    public func late(_ format: String) async throws -> URL {
        let seconds = format == "mp4" ? 6.0 : 2
        let codecs = format == "webm" ? ["-c:v", "libvpx", "-c:a", "libopus"] : Self.h264 + ["-c:a", "aac"]
        let inputs = ["-t", "\(seconds)", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25"] + Self.tone(seconds)
        return try await make("late.\(format)") {
            try await ffmpeg(inputs + codecs + ["-output_ts_offset", "20"], to: $0)
        }
    }

    /// An mp4 file of 21 seconds, with audio from the start, and video in the last second.
    public func lateVideo() async throws -> URL {
        let video = try await solid(colour: "blue", duration: 1)
        return try await make("late-video.mp4") {
            let inputs = ["-itsoffset", "20", "-i", video.path()] + Self.tone(21)
            try await ffmpeg(inputs + ["-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac"], to: $0)
        }
    }

    /// An mp4 file of three seconds that was cut without encoding. Its edit list skips what precedes the cut, up to a key frame.
    public func cut() async throws -> URL {
        let inputs = ["-t", "7", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25"] + Self.tone(7)
        let whole = try await make("uncut.mp4") { try await ffmpeg(inputs + Self.h264 + ["-g", "250"], to: $0) }
        return try await make("cut.mp4") {
            try await ffmpeg(["-ss", "3.3", "-i", whole.path(), "-t", "3", "-c", "copy"], to: $0)
        }
    }

    /// The manifest of two periods with the same segments. Their times begin at 0 in both.
    public func dashPeriods() async throws -> URL {
        let manifest = try await dash()
        let text = try String(contentsOf: manifest, encoding: .utf8)
        guard let period = text.firstMatch(of: /<Period[^>]*>([\s\S]*<\/Period>)/) else {
            throw FixtureError(description: "the manifest has no period")
        }
        let periods = "<Period duration=\"PT4S\">\(period.1)<Period start=\"PT4S\">\(period.1)"
        let twice = text.replacing(period.0, with: periods)
            .replacing(/mediaPresentationDuration="[^"]*"/, with: "mediaPresentationDuration=\"PT8S\"")
        let file = manifest.deletingLastPathComponent().appending(path: "periods.mpd")
        try Data(twice.utf8).write(to: file, options: .atomic)
        return file
    }

    /// An HLS playlist of two parts in fragmented mp4, or three in MPEG-TS, each of two segments of two seconds. The times are the same
    /// in all.
    ///
    /// - Parameters:
    ///   - areSame: `true` for the same part twice. Otherwise the second has another initialization, because its video is smaller.
    ///   - isFragmented: `true` for fragmented mp4, `false` for MPEG-TS.
    public func parts(areSame: Bool = false, isFragmented: Bool = true) async throws -> URL {
        var clips: [[String]] = []
        for size in ["320x180", "160x90"] {
            clips.append(try await clip("testsrc2=size=\(size):rate=25", seconds: 4))
        }
        let stream = try await make("parts-\(isFragmented)/stream.m3u8") { [clips] url in
            let folder = url.deletingLastPathComponent()
            var lists: [String] = []
            for (index, clip) in clips.enumerated() {
                let list = folder.appending(path: "\(index).m3u8")
                let type = isFragmented ? ["fmp4", "-hls_fmp4_init_filename", "\(index).mp4"] : ["mpegts"]
                let hls = ["-hls_time", "2", "-hls_playlist_type", "vod", "-hls_segment_type"] + type
                let segments = folder.path() + "\(index)-%d.\(isFragmented ? "m4s" : "ts")"
                try await ffmpeg(clip + hls + ["-hls_segment_filename", segments], to: list)
                lists.append(try String(contentsOf: list, encoding: .utf8))
            }
            // The last line before the segments is the same in all.
            let (type, end) = ("#EXT-X-PLAYLIST-TYPE:VOD\n", "#EXT-X-ENDLIST\n")
            let head = (lists[0].split(separator: type).first ?? "") + type
            for (name, list) in [("twice.m3u8", lists[0]), ("stream.m3u8", lists[1])] {
                let parts = [lists[0], list] + (isFragmented ? [] : [lists[0]])
                let segments = parts.compactMap { $0.replacing(end, with: "").split(separator: type).last }
                let text = head + segments.joined(separator: "#EXT-X-DISCONTINUITY\n") + end
                try Data(text.utf8).write(to: folder.appending(path: name))
            }
        }
        return areSame ? stream.deletingLastPathComponent().appending(path: "twice.m3u8") : stream
    }

    /// The streams of `dash` in one file.
    private func dashStreams(seconds: Int) async throws -> URL {
        var inputs: [String] = []
        for (size, rate) in [("160x90", "100k"), ("320x180", "300k"), ("640x360", "900k")] {
            let rates = ["-b:v", rate, "-maxrate", rate, "-bufsize", rate]
            let encoder = ["-preset", "ultrafast", "-sc_threshold", "0"] + rates
            inputs += try await video("testsrc2=size=\(size):rate=25", seconds: Double(seconds), encoder: encoder)
        }
        let tones = Self.tone(Double(seconds)) + Self.tone(Double(seconds), frequency: 880)
        let maps = ["-map", "0:v", "-map", "1:v", "-map", "2:v", "-map", "3:a", "-map", "4:a"]
        let codecs = ["-c:v", "copy", "-c:a", "aac", "-t", "\(seconds)"]
        let languages = ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu"]
        return try await make("dash-streams-\(seconds).mp4") { [inputs] url in
            try await ffmpeg(inputs + tones + maps + codecs + languages, to: url)
        }
    }

    /// A folder with `clip.m3u8`, an HLS stream in encrypted segments of a second, and its key.
    public func encrypted() async throws -> URL {
        let playlist = try await make("encrypted/clip.m3u8") { url in
            let folder = url.deletingLastPathComponent()
            let (key, info) = (folder.appending(path: "clip.key"), folder.appending(path: "info.txt"))
            try Data(0..<16).write(to: key)
            try Data("clip.key\n\(key.path())\n".utf8).write(to: info)
            try await ffmpeg(
                Self.input() + Self.h264 + [
                    "-hls_time", "1", "-hls_playlist_type", "vod", "-hls_key_info_file", info.path(),
                ], to: url)
        }
        return playlist.deletingLastPathComponent()
    }

    /// A file of more than 9 MB and four seconds. The index is at its end, if it has one.
    ///
    /// - Parameter format: `avi`, `flv`, `mkv` or `ts`.
    public func large(_ format: String) async throws -> URL {
        try await make("large.\(format)") { url in
            let codecs =
                switch format {
                case "flv": ["-c:v", "flv", "-c:a", "libmp3lame", "-ar", "44100"]
                case "ts": ["-c:v", "mpeg2video", "-c:a", "mp2"]
                default: ["-c:v", "mpeg4", "-c:a", "libmp3lame"]
                }
            let video = "nullsrc=size=640x360:rate=25:duration=4,noise=alls=100:allf=t"
            try await ffmpeg(Self.input(video: video, seconds: 4) + codecs + ["-q:v", "3"], to: url)
        }
    }

    /// An mp4 file of more than 9 MB, whose index is at its beginning.
    public func largeMP4() async throws -> URL {
        try await make("large.mp4") { url in
            let video = "nullsrc=size=640x360:rate=25:duration=12,noise=alls=100:allf=t"
            let audio = "sine=frequency=\(Self.frequency):duration=12:sample_rate=48000"
            try await ffmpeg(
                ["-f", "lavfi", "-i", video, "-f", "lavfi", "-i", audio] + Self.h264
                    + ["-b:v", "8M", "-movflags", "+faststart"], to: url)
        }
    }

    /// The file of `largeMP4` in fragments.
    public func fragmentedMP4() async throws -> URL {
        let large = try await largeMP4().path()
        return try await make("fragments.mp4") { url in
            try await ffmpeg(["-i", large, "-c", "copy", "-movflags", "frag_keyframe+empty_moov"], to: url)
        }
    }

    /// An mp4 file of 12 MB whose index is at its end, after bytes that are not played.
    public func indexAtEnd() async throws -> Data {
        let clip = try Data(contentsOf: try await file("mp4"))
        guard let type = clip.range(of: Data("moov".utf8)) else { throw FixtureError(description: "No index.") }
        let padding = 12 << 20
        let size = withUnsafeBytes(of: UInt32(padding).bigEndian) { Data($0) }
        let index = type.lowerBound - 4
        return clip[..<index] + size + Data("free".utf8) + Data(count: padding - 8) + clip[index...]
    }

    /// The folder with the segments of a stream, `0.ts` and on, each a second long. In fragmented mp4 they are `0.m4s` and on, after
    /// `init.mp4`.
    public func segments(seconds: Int, isFragmented: Bool = false) async throws -> URL {
        let clip = try await clip(seconds: Double(seconds))
        let playlist = try await make("segments-\(seconds)-\(isFragmented)/all.m3u8") { url in
            let (format, name) = isFragmented ? ("fmp4", "%d.m4s") : ("mpegts", "%d.ts")
            try await ffmpeg(
                clip + [
                    "-muxdelay", "0", "-muxpreload", "0", "-hls_time", "1", "-hls_playlist_type", "vod",
                    "-hls_segment_type", format, "-hls_segment_filename", url.deletingLastPathComponent().path() + name,
                ], to: url)
        }
        return playlist.deletingLastPathComponent()
    }

    /// Half a second of audio.
    public func short(_ format: String, sampleRate: Int) async throws -> URL {
        try await make("short-\(sampleRate).\(format)") { url in
            try await ffmpeg(Self.tone(0.5, rate: sampleRate), to: url)
        }
    }

    /// Makes a file once. Tests share the folder, so a name stands for one content.
    private func make(
        _ name: String, content: String = #function, _ body: @escaping @Sendable (URL) async throws -> Void
    ) async throws -> URL {
        guard contents.updateValue(content, forKey: name) ?? content == content else {
            throw FixtureError(description: "Two fixtures have the name \(name). Choose another one.")
        }
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

    private static let h264 = [
        "-c:v", "libx264", "-preset", "superfast", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac",
    ]

    /// The longest video that is encoded as a whole, in seconds. Longer video repeats it, which takes a hundredth of the time.
    private static let longestPiece = 8.0

    /// The arguments for video of a duration, with the tone.
    ///
    /// - Parameters:
    ///   - source: the video, a source of ffmpeg without an end.
    ///   - encoder: options of the video encoder.
    ///   - repeatsTone: `true` to repeat the tone with the video. Its copies do not join exactly.
    private func clip(
        _ source: String = testVideo, seconds: Double, encoder: [String] = [], repeatsTone: Bool = false
    ) async throws -> [String] {
        guard seconds > Self.longestPiece else {
            return ["-t", "\(seconds)", "-f", "lavfi", "-i", source] + Self.tone(seconds) + Self.h264 + encoder
        }
        let video = try await video(source, seconds: seconds, encoder: encoder)
        guard !repeatsTone else { return video + ["-c", "copy", "-t", "\(seconds)"] }
        // A tone of minutes takes seconds to encode, so clips share it.
        let length = [60, 300].first { $0 >= seconds } ?? seconds
        let tone = try await make("pieces/tone-\(length).m4a") { url in
            try await ffmpeg(Self.tone(length) + ["-c:a", "aac"], to: url)
        }
        return video + ["-i", tone.path(), "-map", "0:v", "-map", "1:a", "-c", "copy", "-t", "\(seconds)"]
    }

    /// The arguments for an input with encoded video and the tone. A longer input than a piece has no end.
    private func video(_ source: String, seconds: Double, encoder: [String]) async throws -> [String] {
        let length = min(seconds, Self.longestPiece)
        let name = ([source] + encoder).joined(separator: "-").replacing(/[^a-zA-Z0-9]+/, with: "-")
        let piece = try await make("pieces/\(name)-\(length).mp4") { url in
            let input = ["-t", "\(length)", "-f", "lavfi", "-i", source] + Self.tone(length)
            // The copies of a piece with B-frames would overlap.
            try await ffmpeg(input + Self.h264 + encoder + ["-bf", "0"], to: url)
        }
        return (seconds > length ? ["-stream_loop", "-1"] : []) + ["-i", piece.path()]
    }

    private static let testVideo = "testsrc2=size=320x180:rate=25"

    private static func input(
        video: String? = nil, seconds: Double = duration, frequency: Double = frequency
    ) -> [String] {
        let source = video ?? testVideo + ":duration=\(seconds)"
        return ["-f", "lavfi", "-i", source] + tone(seconds, frequency: frequency)
    }

    private static func tone(
        _ seconds: Double = duration, frequency: Double = frequency, rate: Int = 48000
    ) -> [String] {
        ["-f", "lavfi", "-i", "sine=frequency=\(Int(frequency)):duration=\(seconds):sample_rate=\(rate)"]
    }

    private static func arguments(format: String, _ frequency: Double) -> [String] {
        let input = input(frequency: frequency)
        let tone = tone(frequency: frequency)
        return switch format {
        case "mp4", "mkv": input + h264
        case "webm": input + ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]
        // Without the delay that ffmpeg puts before the first frame. libVLC counts the delay as part of the file.
        case "ts": input + h264 + ["-muxdelay", "0", "-muxpreload", "0"]
        case "ogg": tone + ["-c:a", "libvorbis"]
        case "wmv": input + ["-c:v", "wmv2", "-c:a", "wmav2"]
        case "m3u8": input + h264 + ["-hls_time", "1", "-hls_playlist_type", "vod"]
        default: tone
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

    public init(description: String) { self.description = description }
}
