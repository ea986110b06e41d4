#if !canImport(AVFoundation)
import Playback
import Synchronization

extension MediaPlayer {
    /// Calls a handler when a property changes, until the observation is released or invalidated.
    ///
    /// ```swift
    /// observation = player.observe(\.timeControlStatus) { player, _ in button.isSelected = player.rate != 0 }
    /// ```
    ///
    /// - Parameters:
    ///   - property: a property of the player that changes with an event, for example `\.rate` or `\.currentItem?.status`.
    ///   - options: `.initial` also calls the handler at once. The old and the new value are always there.
    ///   - changeHandler: called on the main actor.
    @preconcurrency public func observe<Value: Equatable>(
        _ property: KeyPath<MediaPlayer, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @MainActor (MediaPlayer, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        var value = self[keyPath: property]
        let isValid = NSKeyValueObservation.Flag()
        let token = observeChanges { [weak self] _, _ in
            guard let self, isValid.value.load(ordering: .relaxed) else { return }
            let (old, new) = (value, self[keyPath: property])
            value = new
            if old != new { changeHandler(self, NSKeyValueObservedChange(newValue: new, oldValue: old)) }
        }
        if options.contains(.initial) {
            changeHandler(self, NSKeyValueObservedChange(newValue: value, oldValue: nil))
        }
        return NSKeyValueObservation(token, isValid)
    }
}

/// Options of `MediaPlayer.observe(_:options:changeHandler:)`.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The new value, which is always there.
    public static let new = Self(rawValue: 1)
    /// The old value, which is always there.
    public static let old = Self(rawValue: 2)
    /// The handler is called at once too.
    public static let initial = Self(rawValue: 4)
}

/// A change of a property.
public struct NSKeyValueObservedChange<Value> {
    /// The value after the change.
    public let newValue: Value?
    /// The value before the change; `nil` for `.initial`.
    public let oldValue: Value?
}

/// An observation of a property. It ends when it is released.
public final class NSKeyValueObservation: Sendable {
    fileprivate final class Flag: Sendable {
        let value = Atomic(true)
    }

    private let token: ObservationToken
    private let isValid: Flag

    fileprivate init(_ token: ObservationToken, _ isValid: Flag) {
        self.token = token
        self.isValid = isValid
    }

    deinit { invalidate() }

    /// Ends the observation, from any thread. The handler is not called any more.
    public func invalidate() {
        isValid.value.store(false, ordering: .relaxed)
        Task { @MainActor [token] in token.cancel() }
    }
}
#endif
