import Playback

// The frame of a paused item.
//
// libVLC drops the frame of a seek as late if it decodes slowly, or if the video was opened while it was paused. Then the item
// plays, muted, until libVLC draws a frame. It pauses again, and seeks back to the playhead. This takes about 50 ms.
extension VLCStateMachine {
    /// A paused item draws if it has no frame for this time after a seek, in seconds. The time doubles with each attempt, because
    /// a busy machine decodes slowly.
    private static let frameTimeout = 0.5
    /// The last attempt is made after about a minute.
    private static let drawingLimit = 7
    /// An item that is opened without playing draws its first frame after this time, in seconds. Most hosts that play when it
    /// is ready do so earlier.
    private static let firstFrameDelay = 0.1

    /// Makes sure that a paused item shows a frame after a seek.
    mutating func showFrame() -> [Action] {
        // The output may have changed during the seek, after its frame.
        if lacksFrame { return draw() }
        return awaitFrame(attemptDuration)
    }

    /// Makes sure that an item which is opened without playing shows its first frame. libVLC sends none.
    func showFirstFrame() -> [Action] { awaitFrame(Self.firstFrameDelay) }

    private func awaitFrame(_ seconds: Double) -> [Action] {
        guard !wantsToPlay, case .ready = state, !isLive, tracks.hasVideo else { return [] }
        return [.awaitFrame(seconds)]
    }

    /// A paused item has no frame, or none since its last seek.
    mutating func frameMissing() -> [Action] {
        guard !wantsToPlay, drawingAttempts < Self.drawingLimit else { return [] }
        drawingAttempts += 1
        lacksFrame = true
        return draw()
    }

    /// Draws the frame of the playhead if the output of a paused item lacks one.
    mutating func draw() -> [Action] {
        guard lacksFrame, !wantsToPlay, player.drawing == .none, case .ready = state else { return [] }
        lacksFrame = false
        guard !isLive, info.isSeekable, tracks.hasVideo else { return [] }
        player.drawing = .awaitsFrame
        return rendition.cancel() + [.drawFrame]
    }

    mutating func frameDrawn() -> [Action] {
        guard player.drawing == .awaitsFrame else { return [] }
        player.drawing = .awaitsPause
        return [.pause]
    }

    /// Gives up drawing if libVLC has played too much of the item.
    mutating func drawing(at engineTime: Double) -> [Action] {
        engineTime - playhead.anchor > attemptDuration ? frameDrawn() : []
    }

    /// libVLC is paused again.
    mutating func endDrawing(at time: Duration) -> [Action] {
        player.drawing = .none
        if state.seek != nil {
            // libVLC begins the user's seek now.
            state.seek?.lastSign = time
            return [.restoreMuting] + tracks.settle()
        }
        let target = playhead.position(at: time)
        state = .seeking(Seek(target: target, isSilent: true, lastSign: time))
        return [.restoreMuting, .seek(libVLCTarget(of: target))] + tracks.settle() + watch()
    }

    private var attemptDuration: Double { Self.frameTimeout * Double(1 << drawingAttempts) }
}
