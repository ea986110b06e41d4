import Playback

extension PlayerEvent {
    /// `true` for a position at or past a number of seconds.
    public func reaches(_ seconds: Double) -> Bool {
        if case .position(let position) = self { position >= seconds } else { false }
    }
}
