#if Systemd
import DBus
import Dispatch
import Foundation
import Playback

/// Hears of the players of other programs for one stream of changes.
// Unchecked: all of it is used on `queue` only, which the connection shares.
final class MPRISWatch: @unchecked Sendable {
    private enum Origin {
        /// It is being asked whose it is; what it told last.
        case unknown(isPlaying: Bool)
        case own
        case other
    }

    private let environment: [String: String]
    /// Whose players are no others; `nil`: all are.
    private let ownProcess: pid_t?
    private let problem: @Sendable (String) -> Void
    private let continuation: AsyncStream<InterruptionChange>.Continuation
    private let queue = DispatchQueue(label: "swift-flowplayer.other-players")
    private var bus: DBusConnection?
    /// By the unique names of connections.
    private var origins: [String: Origin] = [:]
    private var playing: Set<String> = []

    private static let player = "org.mpris.MediaPlayer2.Player"
    private static let driver = "org.freedesktop.DBus"

    init(
        environment: [String: String], ownProcess: pid_t?, problem: @escaping @Sendable (String) -> Void,
        continuation: AsyncStream<InterruptionChange>.Continuation
    ) {
        self.environment = environment
        self.ownProcess = ownProcess
        self.problem = problem
        self.continuation = continuation
    }

    func begin() { queue.async { [self] in open() } }

    func end() { queue.async { [self] in bus = nil } }

    private func open() {
        guard let address = DBusAddress.session(in: environment) else {
            return lose("nothing says where the session's bus is")
        }
        let bus = DBusConnection(address: address, queue: queue) { [weak self] error in
            guard let self, self.bus != nil else { return }
            lose("\(error)")
        }
        self.bus = bus
        bus.listen(to: .properties(of: Self.player, at: "/org/mpris/MediaPlayer2", from: nil)) {
            [weak self] signal in
            self?.heard(signal)
        }
        bus.listen(to: DBusMatch(from: Self.driver, interface: Self.driver, "NameOwnerChanged")) {
            [weak self] signal in
            guard let name = signal.arguments.first?.string, signal.arguments.last?.string == "" else { return }
            self?.gone(name)
        }
    }

    private func lose(_ reason: String) {
        bus = nil
        problem("Other players are not heard of: \(reason).")
        continuation.finish()
    }

    // MARK: What players tell

    private func heard(_ signal: DBusSignal) {
        guard signal.arguments.count > 1, let status = signal.arguments[1]["PlaybackStatus"]?.string else {
            return
        }
        let isPlaying = status == "Playing"
        switch origins[signal.sender] {
        case .own: break
        case .other: change(signal.sender, isPlaying: isPlaying)
        case .unknown: origins[signal.sender] = .unknown(isPlaying: isPlaying)
        case nil:
            origins[signal.sender] = .unknown(isPlaying: isPlaying)
            findOutWhose(signal.sender)
        }
    }

    private func findOutWhose(_ sender: String) {
        let question = DBusCall(
            Self.driver, path: "/org/freedesktop/DBus", interface: Self.driver, "GetConnectionUnixProcessID",
            [.string(sender)])
        bus?.call(question) { [weak self] reply in
            guard let self, case .unknown(let isPlaying)? = origins[sender] else { return }
            let isOwn = (try? reply.get())?.first == ownProcess.map { .uint32(UInt32($0)) }
            origins[sender] = isOwn ? .own : .other
            if !isOwn { change(sender, isPlaying: isPlaying) }
        }
    }

    private func gone(_ name: String) {
        origins[name] = nil
        change(name, isPlaying: false)
    }

    private func change(_ sender: String, isPlaying: Bool) {
        if isPlaying, playing.insert(sender).inserted {
            continuation.yield(.began(sender))
        } else if !isPlaying, playing.remove(sender) != nil {
            continuation.yield(.ended(sender, shouldResume: true))
        }
    }
}
#endif
