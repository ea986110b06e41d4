/// An engine that plays media. It takes commands and sends events; both are plain data.
///
/// An implementation keeps these promises:
///
/// - `send` returns at once, never throws, and never calls the event handler before it has returned. Work that can
///   block runs elsewhere.
/// - Every `open` ends in exactly one of `ended`, `failed` and `closed`. No event of its generation follows.
/// - When its last reference is released, the backend closes everything and releases the event handler.
public protocol PlaybackBackend: AnyObject, Sendable {
    /// The features of this engine. They stay until `capabilitiesChanged` reports others.
    var capabilities: BackendCapabilities { get }

    /// Sets the handler of the events. The player calls this once, before the first command.
    ///
    /// - Parameter receive: called with one event after another, in order, from any thread or actor. It returns at
    ///   once. Never call it synchronously from `send`.
    func start(_ receive: @escaping @Sendable (BackendEvent) -> Void)

    /// Takes a command and returns at once. The outcome is an event.
    func send(_ command: BackendCommand)

    /// Sets the destination of the video. Frames travel beside the events, never through them.
    ///
    /// A backend with the feature `outputSwitching` applies the change to the open item: its video appears in the new
    /// output, also if the item is paused, and its audio continues. Other backends apply it to the next `open`.
    func setVideoOutput(_ output: VideoOutput)
}
