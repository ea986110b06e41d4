import Foundation

/// Which part of a stream plays, and which is about to.
struct RenditionSwitch {
    typealias Action = VLCStateMachine.Action

    /// What a player plays of a stream.
    enum Part: Equatable {
        /// As it was asked for.
        case whole
        /// The variant with sound only, which is here.
        case soundOnly(URL)
    }

    private var current = Part.whole
    private var next: Part?
    /// What could not be had is not tried again before something else is wanted.
    private var unavailable: Part?

    /// What is to play from now on, as soon as that is possible.
    mutating func choose(_ part: Part) -> [Action] {
        if part != unavailable { unavailable = nil }
        guard part != next ?? current, part != unavailable else { return [] }
        guard part != current else { return cancel() }
        next = part
        return [.handOver(part)]
    }

    mutating func cancel() -> [Action] {
        defer { next = nil }
        return next == nil ? [] : [.cancelHandover]
    }

    mutating func done() {
        if let next { current = next }
        next = nil
    }

    mutating func failed() {
        unavailable = next
        next = nil
    }
}
