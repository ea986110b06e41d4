import Playback

/// What the sound server makes of the sound of one item, and what is told of it.
///
/// The server asks for silence, mutes what does not obey, and takes both back. A player that has been stopped in time hears the
/// request, one that has not only that it is not muted any more. What is opened meanwhile is muted and not asked. Pure.
struct VLCInterruption {
    enum Signal: Equatable {
        case corked
        case uncorked
        case muted
        case unmuted
    }

    /// Whether something more important sounds, and the user does not play all the same.
    private(set) var isUnderWay = false
    /// Whether the item is open, so that something can be told of it.
    private(set) var isOpen = false

    /// The item is open: from now on things are told.
    mutating func opened() -> BackendEvent.Body? {
        guard !isOpen else { return nil }
        isOpen = true
        return isUnderWay ? .interruptionBegan : nil
    }

    mutating func handle(_ signal: Signal) -> BackendEvent.Body? {
        switch signal {
        case .corked:
            guard !isUnderWay else { return nil }
            isUnderWay = true
            return isOpen ? .interruptionBegan : nil
        case .muted: return nil
        case .uncorked, .unmuted: return end()
        }
    }

    /// The user plays all the same. One who does not know of it yet means something else.
    mutating func override() -> BackendEvent.Body? { isOpen ? end() : nil }

    private mutating func end() -> BackendEvent.Body? {
        guard isUnderWay else { return nil }
        isUnderWay = false
        return isOpen ? .interruptionEnded(shouldResume: true) : nil
    }
}
