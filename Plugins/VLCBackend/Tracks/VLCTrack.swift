/// An elementary stream as libVLC lists it.
struct VLCTrack: Equatable, Sendable {
    let id: Int
    let kind: VLCEvent.StreamKind
    var lang: String?
    var description: String?
    /// In pixels; 0 while unknown and for all but video.
    var width = 0
    var height = 0
}
