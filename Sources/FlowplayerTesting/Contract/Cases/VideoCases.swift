import Playback
import Synchronization

extension BackendContract {
    static let videoCases = [
        Case("reports-the-video-size", "Reports the size of the video.", .feature(.videoSize)) { context in
            // Without an output, video need not be decoded.
            if context.capabilities.can(.frames) { context.show(.frames(FrameCounter())) }
            let clip = context.open()
            let size = try await context.opened(clip).tracks.video.first?.size
            try await context.event("the size of its video", of: clip) { $0 == .videoSizeChanged(size) }
        },
        Case(
            "plays-the-selected-quality", "Lists the qualities of an item, and plays the selected one.",
            .feature(.qualitySelection), .feature(.videoSize), .optionalFile(\.qualities, "video with qualities")
        ) { context in
            // Without an output, video need not be decoded.
            if context.capabilities.can(.frames) { context.show(.frames(FrameCounter())) }
            let item = context.open(context.fixtures.qualities)
            let event = try await context.event("qualitiesChanged", of: item)
            guard case .qualitiesChanged(let qualities) = event.body, qualities.count > 1 else {
                throw context.violation("It lists fewer than two qualities.")
            }
            try context.require(Set(qualities.map(\.id)).count == qualities.count, "Two qualities have one number.")
            try context.require(qualities == qualities.bestFirst, "The best quality is not the first one.")
            for quality in [qualities[0], qualities[qualities.count - 1]] {
                let size = VideoSize(width: quality.width, height: quality.height)
                let mark = context.now
                let current = context.events(of: item).map(\.body).last { $0.name == "videoSizeChanged" }
                context.send(.selectQuality(item, quality))
                if current != .videoSizeChanged(size) {
                    try await context.event("the size of the selected quality", of: item, after: mark) {
                        $0 == .videoSizeChanged(size)
                    }
                }
                try await context.event("time", of: item, after: context.now)
                let last = context.events(of: item).map(\.body).last { $0.name == "videoSizeChanged" }
                try context.require(last == .videoSizeChanged(size), "It reported \(last?.text ?? "").")
            }
            let mark = context.now
            context.send(.selectQuality(item, nil))
            try await context.event("time", of: item, after: mark)
            try context.requireNone(of: ["failed", "ended"], for: item)
        },
        Case("delivers-frames", "Delivers its video as frames of the visible size.", .feature(.frames)) { context in
            let counter = FrameCounter()
            context.show(.frames(counter))
            let clip = context.open()
            let size = try await context.opened(clip).tracks.video.first?.size
            try await context.event("ended", of: clip)
            try context.require(!counter.sizes.isEmpty, "No frame came.")
            let other = counter.sizes.first { $0 != size }
            try context.require(other == nil, "A frame was \(other?.width ?? 0)x\(other?.height ?? 0).")
        },
        Case(
            "frames-have-square-pixels", "Delivers frames with square pixels, and reports their size.",
            .feature(.frames), .feature(.videoSize), .optionalFile(\.oblong, "video with pixels that are not square")
        ) { context in
            let counter = FrameCounter()
            context.show(.frames(counter))
            let clip = context.open(context.fixtures.oblong)
            let size = try await context.opened(clip).tracks.video.first?.size
            try await context.event("the size of its video", of: clip) { $0 == .videoSizeChanged(size) }
            try await context.event("ended", of: clip)
            try context.require(
                size == context.fixtures.oblongSize && counter.sizes == [size],
                "The size is \(size?.text ?? "none"), and that of the frames \(counter.sizes.map(\.text)).")
        },
        Case(
            "keeps-the-pixels-of-a-frame", "Never changes a frame that the sink keeps.", .feature(.frames)
        ) { context in
            let counter = FrameCounter()
            context.show(.frames(counter))
            try await context.event("ended", of: context.open())
            let kept = counter.firstFrames
            try context.require(!kept.isEmpty, "No frame came.")
            try context.require(kept.allSatisfy { $0.frame.checksum == $0.checksum }, "A frame has changed.")
        },
        Case(
            "delivers-frames-of-the-wanted-size",
            "Delivers frames that fit into the sink's limit with the proportions of the video, and does not enlarge them.",
            .feature(.frames), .feature(.outputSwitching)
        ) { context in
            let counter = FrameCounter()
            counter.limit = VideoSize(width: 100_000, height: 100_000)
            context.show(.frames(counter))
            let clip = context.open()
            guard let size = try await context.opened(clip).tracks.video.first?.size else { return }
            try await context.time(clip, past: 0)
            counter.limit = VideoSize(width: size.width / 2, height: size.height)
            context.show(.frames(counter))
            try await context.event("ended", of: clip)
            let sizes = [size, VideoSize(width: size.width / 2, height: (size.height + 1) / 2)]
            try context.require(
                counter.sizes.isSubset(of: sizes) && counter.sizes.contains(sizes[1]),
                "The frames were \(counter.sizes.map(\.text)).")
        },
        Case(
            "shows-its-video-in-a-later-output",
            "Delivers the frames of an open item to an output that is set later.",
            .feature(.frames), .feature(.outputSwitching)
        ) { context in
            let clip = context.open(plays: false)
            try await context.opened(clip)
            let begin = context.now
            let counter = FrameCounter()
            context.show(.frames(counter))
            try await context.send(.play(clip), until: "ended", of: clip)
            try context.require(!counter.sizes.isEmpty, "No frame came.")
            try context.requireNone(of: ["stalled", "seeked"], for: clip, after: begin)
        },
        Case(
            "shows-its-first-frame-before-it-plays",
            "Delivers the frame of a file that is open and has not played, once.",
            .feature(.frames)
        ) { context in
            let counter = FrameCounter()
            context.show(.frames(counter))
            let clip = context.open(plays: false)
            try await context.opened(clip)
            let hasFrame = try await context.eventually { counter.count > 0 }
            try context.require(hasFrame, "No frame came.")
            // A second without a frame, however long a busy machine takes for the first ones.
            var (count, quietSteps) = (counter.count, 0)
            let isQuiet = try await context.eventually {
                quietSteps = counter.count == count ? quietSteps + 1 : 0
                count = counter.count
                return quietSteps >= 20
            }
            try context.require(isQuiet, "Frames of the paused file keep coming.")
            try context.requireNone(of: ["playing", "seeked", "stalled"], for: clip)
            try await context.send(.play(clip), until: "ended", of: clip)
        },
        Case(
            "audio-continues-without-video",
            "Keeps playing while the video is hidden, and when it is visible again.", .feature(.videoDetaching)
        ) { context in
            let clip = context.open()
            let start = try await context.event("playing", of: clip).body.position ?? 0
            let begin = context.now
            for isShown in [false, true] {
                let mark = context.now
                context.send(.setVideoVisible(isShown))
                try await context.time(clip, past: start + (isShown ? 1 : 0.5), after: mark)
            }
            try await context.event("ended", of: clip)
            try context.requireNone(of: ["paused", "stalled", "playing", "seeked"], for: clip, after: begin)
        },
        Case(
            "delivers-no-frames-while-hidden",
            "Delivers no frames while the video is hidden, and frames again after that.",
            .feature(.videoDetaching), .feature(.frames)
        ) { context in
            let counter = FrameCounter()
            context.show(.frames(counter))
            context.send(.setVideoVisible(false))
            try await context.event("ended", of: context.open())
            try context.require(counter.sizes.isEmpty, "A frame came.")
            context.send(.setVideoVisible(true))
            try await context.event("ended", of: context.open())
            try context.require(!counter.sizes.isEmpty, "No frame came.")
        },
    ]

    static let liveCases = [
        Case("a-live-stream-has-no-end", "Plays a live stream, which has no duration.", .live) { context in
            let stream = context.open(context.fixtures.live)
            let media = try await context.opened(stream)
            try context.require(media.duration == nil, "It says that the stream lasts \(media.duration?.text ?? "") s.")
            try context.require(
                media.playbackType == .live, "It says that the stream is \(media.playbackType.rawValue).")
            let begin = try await context.event("playing", of: stream).body.position ?? 0
            try await context.time(stream, past: begin + 0.5)
        },
        Case(
            "the-window-of-a-live-stream-moves", "Reports the window of a live stream, and its changes.",
            .feature(.dvrWindow), .live
        ) { context in
            let stream = context.open(context.fixtures.live)
            let media = try await context.opened(stream)
            guard let window = media.dvrWindow, window.availableLength > 0 else {
                throw context.violation("It reports no window.")
            }
            try context.require(
                (window.start...window.end).contains(media.position),
                "The position is not in the part that can be played.")
            try await context.event("that the window moved on", of: stream) {
                if case .dvrWindowChanged(let moved?) = $0 { moved.end > window.end } else { false }
            }
        },
    ]
}

extension BackendContract.Requirement {
    fileprivate static let live = optionalFile(\.live, "live stream")
}

/// Remembers the sizes of the frames, and keeps the first few.
private final class FrameCounter: VideoFrameSink {
    private struct State {
        var count = 0
        var sizes: Set<VideoSize> = []
        var first: [(frame: VideoFrame, checksum: Int)] = []
        var limit: VideoSize?
    }

    private static let keptFrames = 8
    private let state = Mutex(State())

    var count: Int { state.withLock(\.count) }

    var sizes: Set<VideoSize> { state.withLock(\.sizes) }

    /// The first frames, and their checksums on arrival.
    var firstFrames: [(frame: VideoFrame, checksum: Int)] { state.withLock(\.first) }

    var limit: VideoSize? {
        get { state.withLock(\.limit) }
        set { state.withLock { $0.limit = newValue } }
    }

    var maximumFrameSize: VideoSize? { limit }

    func receive(_ frame: VideoFrame) {
        state.withLock { state in
            state.count += 1
            state.sizes.insert(VideoSize(width: frame.width, height: frame.height))
            if state.first.count < Self.keptFrames { state.first.append((frame, frame.checksum)) }
        }
    }
}

extension VideoFrame {
    fileprivate var checksum: Int {
        withUnsafeBytes { bytes in
            var hasher = Hasher()
            hasher.combine(bytes: bytes)
            return hasher.finalize()
        }
    }
}

extension VideoSize {
    fileprivate var text: String { "\(width)x\(height)" }
}
