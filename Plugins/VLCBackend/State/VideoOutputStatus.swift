import Playback

/// Detects video that libVLC decodes but does not show.
struct VideoOutputStatus {
    private enum Window {
        case expected
        case failed
        case failureReported
    }

    private enum Frames {
        case expected
        /// They are missing since so much was played, in seconds.
        case missing(since: Double)
        case absenceReported
        case seen
    }

    /// A stream that is joined in the middle shows its first frame within this playback time, in seconds.
    private static let firstFrameTimeout = 8.0

    private var outputCount = 0
    private var window = Window.expected
    private var frames = Frames.expected

    mutating func outputsChanged(to count: Int) {
        outputCount = count
        if count > 0 { frames = .seen }
    }

    /// libVLC also logs this for formats that it tries first. The failure is certain only if no output appears.
    mutating func logged(_ line: VLCLogLine) {
        guard case .expected = window, line.message.contains("video output creation failed") else { return }
        window = .failed
    }

    /// `true` if no frame has appeared, and the reason is not the window.
    var lacksFrames: Bool {
        guard case .expected = window else { return false }
        if case .seen = frames { return false }
        return true
    }

    /// Returns a notice, once, if no window shows the video.
    mutating func missingWindow() -> PlaybackNotice? {
        guard case .failed = window, outputCount == 0 else { return nil }
        window = .failureReported
        return PlaybackNotice(
            code: "noWindow", message: "No window could be opened for the video. Is vlc-plugin-video-output installed?")
    }

    /// Returns `true`, once, if no frame has appeared for too long. A decoder without output reports no error.
    ///
    /// - Parameters:
    ///   - isExpected: `true` if a frame should appear.
    ///   - played: the playback time so far, in seconds.
    mutating func missesFrames(isExpected: Bool, played: Double) -> Bool {
        switch frames {
        case .seen, .absenceReported: return false
        case .missing(let since) where isExpected:
            guard played - since >= Self.firstFrameTimeout else { return false }
            frames = .absenceReported
            return true
        case .expected, .missing:
            frames = isExpected ? .missing(since: played) : .expected
            return false
        }
    }

    static let lateFrameNotice = PlaybackNotice(
        code: "videoLate", message: "The video appears with its next key frame. The audio continues.")

    static let fixedOutputNotice = PlaybackNotice(
        code: "outputSwitchingUnavailable",
        message: "Another video output needs another load, because the server does not support byte ranges.")

    static let missingFramesNotice = PlaybackNotice(
        code: "noVideo", message: "The video cannot be decoded. It may be damaged. The audio continues.")
}
