import Playback

/// An elementary stream as libVLC lists it.
struct VLCTrack: Equatable, Sendable {
    let id: Int
    let kind: VLCEvent.StreamKind
    var lang: String?
    var description: String?
    /// The name of the codec.
    var codec: String?
    /// The size of the video as it is shown, upright and with square pixels; 0 if it is unknown.
    var size = VideoSize(width: 0, height: 0)
    /// Frames per second; `nil` if it is unknown.
    var frameRate: Double?
}
