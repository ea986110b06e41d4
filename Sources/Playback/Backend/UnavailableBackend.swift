/// Stands in where no backend was to be had: every opening fails, and says why.
public final class UnavailableBackend: PlaybackBackend {
    public let capabilities = BackendCapabilities(rates: 1...1)
    public let events: AsyncStream<BackendEvent>
    private let continuation: AsyncStream<BackendEvent>.Continuation
    private let reason: String

    /// - Parameter reason: a sentence for people that says what is missing and how to get it.
    public init(reason: String) {
        self.reason = reason
        (events, continuation) = AsyncStream.makeStream()
    }

    deinit { continuation.finish() }

    public func send(_ command: BackendCommand) {
        guard case .open(let request) = command else { return }
        let error = PlaybackError(.backendUnavailable, url: request.url, detail: reason)
        continuation.yield(
            BackendEvent(
                .failed(error, position: 0), generation: request.generation, hostTime: ContinuousClock().hostTime))
    }

    public func setVideoOutput(_ output: VideoOutput) {}
}
