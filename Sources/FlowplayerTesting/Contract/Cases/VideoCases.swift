import Playback
import Synchronization

extension BackendContract {
    static let videoCases = [
        Case("tells-the-size-of-the-picture", "Reports the size of the video.", .feature(.videoSize)) { context in
            // Without an output, video need not be decoded.
            if context.capabilities.can(.frames) { context.show(.frames(FrameCounter())) }
            let clip = context.open()
            let size = try await context.opened(clip).tracks.video.first?.size
            try await context.event("the size of its video", of: clip) { $0 == .videoSizeChanged(size) }
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
            "sound-goes-on-without-the-picture",
            "Keeps playing while the video is hidden, and when it is visible again.", .feature(.pictureDetaching)
        ) { context in
            let clip = context.open()
            let start = try await context.event("playing", of: clip).body.position ?? 0
            let begin = context.now
            for isShown in [false, true] {
                let mark = context.now
                context.send(.setPicture(isShown: isShown))
                try await context.time(clip, past: start + (isShown ? 1 : 0.5), after: mark)
            }
            try await context.event("ended", of: clip)
            try context.requireNone(of: ["paused", "stalled", "playing", "seeked"], for: clip, after: begin)
        },
        Case(
            "delivers-no-frame-that-nobody-sees",
            "Delivers no frames while the video is hidden, and frames again after that.",
            .feature(.pictureDetaching), .feature(.frames)
        ) { context in
            let counter = FrameCounter()
            context.show(.frames(counter))
            context.send(.setPicture(isShown: false))
            try await context.event("ended", of: context.open())
            try context.require(counter.sizes.isEmpty, "A frame came.")
            context.send(.setPicture(isShown: true))
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

/// Remembers how large the frames were.
private final class FrameCounter: VideoFrameSink {
    private let seen = Mutex<Set<VideoSize>>([])

    var sizes: Set<VideoSize> { seen.withLock(\.self) }

    func receive(_ frame: VideoFrame) {
        seen.withLock { _ = $0.insert(VideoSize(width: frame.width, height: frame.height)) }
    }
}
