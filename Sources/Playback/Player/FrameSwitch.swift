import Synchronization

/// Decides which of two players shows its frames in the sink that they share.
final class FrameSwitch: Sendable {
    enum Source {
        case primary
        case interstitial
    }

    // Held while the sink takes a frame, because it takes one at a time.
    private let shown = Mutex(Source.primary)

    /// Passes a frame on if its player is shown.
    func pass(_ frame: VideoFrame, of source: Source, to sink: any VideoFrameSink) {
        shown.withLock { if $0 == source { sink.receive(frame) } }
    }

    /// Shows the frames of a player from now on, beginning with its newest one.
    func show(_ source: Source, beginningWith newest: NewestFrame?) {
        shown.withLock { shown in
            shown = source
            if let newest, let frame = newest.value { newest.sink.receive(frame) }
        }
    }
}
