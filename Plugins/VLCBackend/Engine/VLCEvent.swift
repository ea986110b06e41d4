import AudioMixer
import MediaTransport
import Playback

/// An event of one libVLC player, copied out of its callback.
enum VLCEvent: Equatable, Sendable {
    enum StreamKind: Equatable, Sendable { case audio, video, subtitle, other }

    case playing
    case paused
    /// The buffer level, in percent.
    case buffering(Double)
    /// The duration, in milliseconds.
    case lengthChanged(Int64)
    case seekableChanged(Bool)
    case streamAdded(Int, StreamKind)
    case streamRemoved(Int)
    /// A stream has a decoder.
    case streamSelected(Int, StreamKind)
    /// The metadata may have changed.
    case metadataChanged
    /// The timeline of the HLS playlist; `nil` if the playlist cannot be read.
    case presentation(HLSTimeline?)
    /// The position, in milliseconds.
    case timeChanged(Int64)
    /// The first frame since `expectFrame`, or since the sink was set.
    case frameDrawn
    /// The number of outputs that show the video.
    case videoOutputs(Int)
    /// The audio server has corked, uncorked, muted or unmuted the stream.
    case audio(AudioInterruption.Event)
    /// The name of the output device.
    case audioDevice(String)
    case endReached
    case encounteredError
    /// The name of the demuxer module.
    case demuxer(String)
    case logged(VLCLogLine)
}

/// A warning or an error in libVLC's log.
struct VLCLogLine: Equatable, Sendable {
    let module: String
    let message: String
}

/// The media information that libVLC has at the moment of the call.
struct VLCMediaInfo: Equatable, Sendable {
    /// The duration in seconds; `nil` if it is unknown.
    var duration: Double?
    var isSeekable = false
    /// libVLC's position, in seconds.
    var time = 0.0
    var streams: [VLCTrack] = []

    /// The longest duration that an item may have, in milliseconds. libVLC reports more for MPEG-TS whose times jump back.
    private static let longest: Int64 = 1_000_000_000_000

    /// - Returns: the duration in seconds; `nil` if it is unknown or impossible.
    static func duration(milliseconds: Int64) -> Double? {
        (1...longest).contains(milliseconds) ? Double(milliseconds) / 1000 : nil
    }
}
