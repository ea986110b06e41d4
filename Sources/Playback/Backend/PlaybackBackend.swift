/// An engine that plays: a machine that takes commands and gives events, both plain data.
///
/// An implementation keeps three promises. `send` returns at once, never throws and never calls back before it has
/// returned; work that can block runs elsewhere. Every `open` ends in exactly one of `ended`, `failed` and
/// `closed`, and nothing follows that for its generation. The last reference going away closes everything.
public protocol PlaybackBackend: AnyObject, Sendable {
    /// What this engine can do. The same as long as the backend lives.
    var capabilities: BackendCapabilities { get }

    /// The events, in order. One consumer: the player. Ends when the backend goes away.
    var events: AsyncStream<BackendEvent> { get }

    /// Returns at once; the outcome is an event.
    func send(_ command: BackendCommand)

    /// Where pictures go. Frames travel beside the events, never through them.
    ///
    /// Exchanging one sink of frames for another takes effect with the next frame; any other change with the next
    /// `open`.
    func setVideoOutput(_ output: VideoOutput)
}
