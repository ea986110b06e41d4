import Foundation

/// The rendition that plays, and the one that a switch is made to.
struct RenditionSwitch {
    typealias Action = VLCStateMachine.Action

    enum Rendition: Equatable {
        /// The stream as it was requested.
        case whole
        /// The audio-only variant at this address.
        case audioOnly(URL)
    }

    private var current = Rendition.whole
    private var next: Rendition?
    /// The rendition that failed last. It is not retried until another one is requested.
    private var unavailable: Rendition?

    /// `true` if the audio-only variant plays.
    var isAudioOnly: Bool { current != .whole }

    mutating func choose(_ rendition: Rendition) -> [Action] {
        if rendition != unavailable { unavailable = nil }
        guard rendition != next ?? current, rendition != unavailable else { return [] }
        guard rendition != current else { return cancel() }
        next = rendition
        return [.switchRendition(rendition)]
    }

    mutating func cancel() -> [Action] {
        defer { next = nil }
        return next == nil ? [] : [.cancelRenditionSwitch]
    }

    mutating func succeeded() {
        if let next { current = next }
        next = nil
    }

    mutating func failed() {
        unavailable = next
        next = nil
    }
}
