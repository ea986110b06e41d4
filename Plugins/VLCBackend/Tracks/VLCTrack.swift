/// An elementary stream as libVLC lists it.
struct VLCTrack: Equatable, Sendable {
    let id: Int
    let kind: VLCEvent.StreamKind
    var lang: String?
    var description: String?
    /// The video size in pixels; 0 if unknown.
    var width = 0
    var height = 0
}
