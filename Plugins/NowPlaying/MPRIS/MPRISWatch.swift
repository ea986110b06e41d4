import DBus
import Foundation
import Playback

/// Observes the MPRIS players of other processes for one stream of changes, until `close()`.
@MainActor
final class MPRISWatch {
    private enum Origin {
        /// The process is being requested. Has the latest playback status.
        case unknown(isPlaying: Bool)
        case ownProcess
        case otherProcess
    }

    /// The process whose players are ignored; `nil` for none.
    private let ownProcess: pid_t?
    private let problem: @Sendable (String) -> Void
    private let continuation: AsyncStream<InterruptionChange>.Continuation
    private var bus: DBusConnection?
    /// The origins of players, by the unique names of their connections.
    private var origins: [String: Origin] = [:]
    private var playing: Set<String> = []

    init(
        environment: [String: String], ownProcess: pid_t?, problem: @escaping @Sendable (String) -> Void,
        continuation: AsyncStream<InterruptionChange>.Continuation
    ) {
        self.ownProcess = ownProcess
        self.problem = problem
        self.continuation = continuation
        guard let address = DBusAddress.session(in: environment) else {
            finish("the session bus has no address")
            return
        }
        bus = DBusConnection(address: address) { [weak self] error in self?.finish("\(error)") }
        let changes = DBusMatch.properties(
            of: "org.mpris.MediaPlayer2.Player", at: "/org/mpris/MediaPlayer2", from: nil)
        bus?.listen(to: changes) { [self] in propertiesChanged($0) }
        bus?.listen(to: .owner()) { [self] signal in
            guard let name = signal.arguments.first?.string, signal.arguments.last?.string == "" else { return }
            origins[name] = nil
            change(name, isPlaying: false)
        }
    }

    func close() { bus?.close() }

    private func finish(_ reason: String) {
        problem("Players of other programs are not observed: \(reason).")
        continuation.finish()
    }

    private func propertiesChanged(_ signal: DBusSignal) {
        guard signal.arguments.count > 1, let status = signal.arguments[1]["PlaybackStatus"]?.string else { return }
        let isPlaying = status == "Playing"
        switch origins[signal.sender] {
        case .ownProcess: break
        case .otherProcess: change(signal.sender, isPlaying: isPlaying)
        case .unknown: origins[signal.sender] = .unknown(isPlaying: isPlaying)
        case nil:
            origins[signal.sender] = .unknown(isPlaying: isPlaying)
            requestProcess(of: signal.sender)
        }
    }

    private func requestProcess(of sender: String) {
        bus?.call(.bus("GetConnectionUnixProcessID", [.string(sender)])) { [self] reply in
            guard case .unknown(let isPlaying)? = origins[sender] else { return }
            let isOwn = (try? reply.get())?.first == ownProcess.map { .uint32(UInt32($0)) }
            origins[sender] = isOwn ? .ownProcess : .otherProcess
            if !isOwn { change(sender, isPlaying: isPlaying) }
        }
    }

    private func change(_ sender: String, isPlaying: Bool) {
        if isPlaying, playing.insert(sender).inserted {
            continuation.yield(.began(sender))
        } else if !isPlaying, playing.remove(sender) != nil {
            continuation.yield(.ended(sender, shouldResume: true))
        }
    }
}
