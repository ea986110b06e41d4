import Playback

/// An interruption of one item by the audio server.
///
/// The server corks the streams that have to be silent, mutes those that do not obey, and takes both back at the end. A
/// player that paused in time receives the uncork request. One that did not receives the unmute event only. Streams
/// that open during the interruption start muted and receive no cork request. The type is pure.
package struct AudioInterruption {
    package enum Event: Equatable, Sendable {
        case corked
        case uncorked
        case muted
        case unmuted
    }

    /// `true` from the start of the interruption until its end, or until the user plays anyway.
    package private(set) var isActive = false
    /// `true` if the item is open. Interruptions are reported from then on.
    package private(set) var isOpen = false

    package init() {}

    /// The item is open. Returns the report of an interruption that started earlier.
    package mutating func opened() -> BackendEvent.Body? {
        guard !isOpen else { return nil }
        isOpen = true
        return isActive ? .interruptionBegan : nil
    }

    package mutating func handle(_ event: Event) -> BackendEvent.Body? {
        switch event {
        case .corked:
            guard !isActive else { return nil }
            isActive = true
            return isOpen ? .interruptionBegan : nil
        case .muted: return nil
        case .uncorked, .unmuted: return end()
        }
    }

    /// The user plays during the interruption. Before `opened` the user cannot know of it.
    package mutating func override() -> BackendEvent.Body? { isOpen ? end() : nil }

    private mutating func end() -> BackendEvent.Body? {
        guard isActive else { return nil }
        isActive = false
        return isOpen ? .interruptionEnded(shouldResume: true) : nil
    }
}
