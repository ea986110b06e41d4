/// What a backend can do. What is missing here, the player reports as unavailable.
public struct BackendCapabilities: Codable, Hashable, Sendable {
    /// Rates that `setRate` takes, in media seconds a second.
    public let rates: ClosedRange<Double>
    /// Whether pictures can be shown in a window of the backend's own.
    public let hasWindow: Bool
    /// Whether pictures can be had as BGRA frames.
    public let deliversFrames: Bool

    /// What a backend declares of itself. It must keep to it.
    public init(rates: ClosedRange<Double> = 0.25...4, hasWindow: Bool, deliversFrames: Bool) {
        self.rates = rates
        self.hasWindow = hasWindow
        self.deliversFrames = deliversFrames
    }

    /// Why an output cannot be had; `nil` if it can.
    func missing(for output: VideoOutput) -> PlaybackNotice? {
        switch output {
        case .window where !hasWindow:
            PlaybackNotice(code: "windowUnavailable", message: "This backend cannot open a window.")
        case .frames where !deliversFrames:
            PlaybackNotice(code: "framesUnavailable", message: "This backend delivers no frames.")
        case .none, .window, .frames: nil
        }
    }
}
