import Synchronization

/// A backend for hosts without an engine. Every `open` fails with the reason.
public final class UnavailableBackend: PlaybackBackend {
    public let capabilities = BackendCapabilities(rates: 1...1)
    private let receive = Mutex<(@Sendable (BackendEvent) -> Void)?>(nil)
    private let reason: String

    /// - Parameter reason: a sentence that names the missing part and how to get it.
    public init(reason: String) { self.reason = reason }

    public func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) {
        self.receive.withLock { $0 = receive }
    }

    public func send(_ command: BackendCommand) {
        guard case .open(let request) = command, let receive = receive.withLock(\.self) else { return }
        let error = PlaybackError(.backendUnavailable, url: request.url, detail: reason)
        let event = BackendEvent(
            .failed(error, position: 0), generation: request.generation, hostTime: ContinuousClock().hostTime)
        Task { @MainActor in receive(event) }
    }

    public func setVideoOutput(_ output: VideoOutput) {}
}
