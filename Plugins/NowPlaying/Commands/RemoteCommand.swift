import Playback

/// A command of a remote control.
///
/// ```swift
/// let token = RemoteCommandCenter.shared().playCommand.addTarget { _ in
///     engine.start() ? .success : .commandFailed
/// }
/// ```
@preconcurrency @MainActor
public class RemoteCommand<Event> {
    /// Handles the command, and returns its result. Called on the main actor.
    public typealias Handler = @MainActor (Event) -> RemoteCommandHandlerStatus

    /// `false` if the command is disabled: controls show that it is not available. `true` by default.
    public var isEnabled = true {
        didSet { if isEnabled != oldValue { changed() } }
    }

    private let targets = Observers<Handler>()
    private let changed: @MainActor () -> Void
    /// Returns `true` if the targets can handle the command now.
    var isPossible: @MainActor () -> Bool = { true }

    init(changed: @escaping @MainActor () -> Void) { self.changed = changed }

    /// Adds a handler, which replaces the player's own.
    ///
    /// If there are several targets, all are called in the order in which they were added. The command succeeds if one of
    /// them succeeds.
    ///
    /// - Returns: a token that removes the handler. The handler stays if you release the token.
    @discardableResult
    public func addTarget(handler: @escaping Handler) -> ObservationToken {
        let token = targets.addPermanently(handler) { [weak self] in self?.changed() }
        changed()
        return token
    }

    /// Removes a handler. Does nothing if the handler belongs to another command or was removed before.
    public func removeTarget(_ token: ObservationToken) {
        if targets.contains(token) { token.cancel() }
    }

    var hasTargets: Bool { !targets.all.isEmpty }

    func perform(_ event: Event) -> RemoteCommandHandlerStatus {
        let results = targets.all.map { $0(event) }
        return results.contains(.success) ? .success : results.last ?? .noSuchContent
    }
}

/// The command that changes the rate.
public final class ChangePlaybackRateCommand: RemoteCommand<ChangePlaybackRateCommandEvent> {
    /// The supported rates: the smallest, the largest and all between. Only 1 by default.
    public var supportedPlaybackRates: [Double] = [1]
}

/// The result of a command.
public enum RemoteCommandHandlerStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// The command was performed.
    case success
    /// There is no content for the command.
    case noSuchContent
    /// The command failed.
    case commandFailed
}
