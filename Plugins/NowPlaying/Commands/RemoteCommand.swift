import Playback

/// Something that a remote control can ask for.
///
/// ```swift
/// let token = RemoteCommandCenter.shared().playCommand.addTarget { _ in
///     engine.start() ? .success : .commandFailed
/// }
/// ```
@MainActor
public class RemoteCommand<Event: Sendable> {
    /// Called on the main actor. Gives what has become of the command.
    public typealias Handler = @MainActor (Event) -> RemoteCommandHandlerStatus

    /// `false`: the control is shown as not available, and the command is not given. `true` by default: it is available if
    /// somebody handles it.
    public var isEnabled = true {
        didSet { if isEnabled != oldValue { changed() } }
    }

    private var targets: [(id: Int, token: ObservationToken, handler: Handler)] = []
    private var lastID = 0
    private let changed: @MainActor () -> Void
    /// Whether the targets can do it now.
    var isPossible: @MainActor () -> Bool = { true }

    init(changed: @escaping @MainActor () -> Void) { self.changed = changed }

    /// Handles the command, in place of what the player would do by itself.
    ///
    /// Of several targets all are called, in the order in which they were added. One success is a success.
    ///
    /// - Returns: what takes the handler back, and no other. Dropping it keeps the handler.
    @discardableResult
    public func addTarget(handler: @escaping Handler) -> ObservationToken {
        lastID += 1
        let id = lastID
        let token = ObservationToken { [weak self] in self?.remove(id) }
        targets.append((id, token, handler))
        changed()
        return token
    }

    /// Takes one handler back. Without effect if it is not this command's, or was taken back before.
    public func removeTarget(_ token: ObservationToken) {
        if targets.contains(where: { $0.token === token }) { token.cancel() }
    }

    private func remove(_ id: Int) {
        targets.removeAll { $0.id == id }
        changed()
    }

    var hasTargets: Bool { !targets.isEmpty }

    func perform(_ event: Event) -> RemoteCommandHandlerStatus {
        let outcomes = targets.map { $0.handler(event) }
        return outcomes.contains(.success) ? .success : outcomes.last ?? .noSuchContent
    }
}

/// The command that changes the rate.
public final class ChangePlaybackRateCommand: RemoteCommand<ChangePlaybackRateCommandEvent> {
    /// Media seconds a second: all between the smallest and the largest can be asked for. Only 1 by default.
    public var supportedPlaybackRates: [Double] = [1]
}
