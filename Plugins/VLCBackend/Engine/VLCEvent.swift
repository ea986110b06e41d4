import MediaTransport
import Playback

/// What libVLC tells about one player, copied out of its callbacks.
enum VLCEvent: Equatable, Sendable {
    enum StreamKind: Equatable, Sendable { case audio, video, text, other }

    case playing
    case paused
    /// In percent.
    case buffering(Double)
    /// In milliseconds.
    case lengthChanged(Int64)
    case seekableChanged(Bool)
    case streamAdded(Int, StreamKind)
    case streamRemoved(Int)
    /// A stream that has a decoder.
    case streamSelected(Int, StreamKind)
    /// What the medium says about itself may be known, or better known.
    case metadataChanged
    /// What the stream's playlist says; `nil`: it cannot be had.
    case presentation(HLSTimeline?)
    /// In milliseconds.
    case timeChanged(Int64)
    /// How many places show the picture.
    case videoOutputs(Int)
    /// The sound server wants something else to be heard, or no longer does.
    case sound(VLCInterruption.Signal)
    /// The device that sound goes to.
    case audioDevice(String)
    case endReached
    case encounteredError
    /// The module that takes the medium apart.
    case demuxer(String)
    case logged(VLCLogLine)
}

/// A warning or an error in libVLC's log.
struct VLCLogLine: Equatable, Sendable {
    let module: String
    let message: String
}

/// What libVLC knows of a medium at the moment when it is asked.
struct VLCMediaInfo: Equatable, Sendable {
    /// In seconds; `nil` where there is none.
    var duration: Double?
    var isSeekable = false
    /// Where the engine is, in seconds.
    var time = 0.0
    var streams: [VLCTrack] = []
}
