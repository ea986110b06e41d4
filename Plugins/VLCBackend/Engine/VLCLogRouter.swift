#if VLC
import CVLC
import Foundation
import Synchronization

/// Assigns the lines of libVLC's log to its players.
///
/// libVLC does not name the player of a line. It sends a player's *opening* event on the thread that opens the item,
/// and most lines about the item come from that thread. Each line names its object. The router therefore remembers the
/// thread of each player, and the objects that have logged on it. Their later lines on other threads belong to the same
/// player.
final class VLCLogRouter: Sendable {
    /// The observers of the players.
    private struct State {
        var all: [VLCEventObserver] = []
        var byThread: [UInt: VLCEventObserver] = [:]
        var byObject: [UInt: VLCEventObserver] = [:]
    }

    private let state = Mutex(State())

    func add(_ player: VLCEventObserver) { state.withLock { $0.all.append(player) } }

    /// Call it after the threads of the player have ended. A new thread may get the number of one of them.
    func remove(_ player: VLCEventObserver) {
        state.withLock { state in
            state.all.removeAll { $0 === player }
            state.byThread = state.byThread.filter { $0.value !== player }
            state.byObject = state.byObject.filter { $0.value !== player }
        }
    }

    /// The calling thread opens the item of a player.
    func claimThread(for player: VLCEventObserver) {
        state.withLock { $0.byThread[Self.thread] = player }
    }

    /// The player of a line by this object on the calling thread.
    func player(forObject object: UInt) -> VLCEventObserver? {
        state.withLock { state in
            if let player = state.byThread[Self.thread] {
                state.byObject[object] = player
                return player
            }
            return state.byObject[object] ?? (state.all.count == 1 ? state.all.first : nil)
        }
    }

    /// The player that the calling thread opens.
    private var opener: VLCEventObserver? { state.withLock { $0.byThread[Self.thread] } }

    private static var thread: UInt { UInt(pthread_self()) }

    /// Receives the log of an instance, until `libvlc_log_unset`.
    func attach(to instance: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        libvlc_log_set(
            instance,
            { context, level, line, format, arguments in
                guard let context, let line, let format, let arguments else { return }
                let router = Unmanaged<VLCLogRouter>.fromOpaque(context).takeUnretainedValue()
                router.receive(level: level, line: line, format: format, arguments: arguments)
            }, context)
    }

    private func receive(
        level: Int32, line: OpaquePointer, format: UnsafePointer<CChar>, arguments: CVaListPointer
    ) {
        var object: UInt = 0
        libvlc_log_get_object(line, nil, nil, &object)
        let player = player(forObject: object)
        if level >= LIBVLC_WARNING.rawValue {
            var module: UnsafePointer<CChar>?
            libvlc_log_get_context(line, &module, nil, nil)
            let message = Self.text(format, arguments)
            player?.send(.logged(VLCLogLine(module: module.map { String(cString: $0) } ?? "", message: message)))
        } else if strcmp(format, Self.choice) == 0 {
            let message = Self.text(format, arguments)
            guard message.hasPrefix(Self.demuxerChoice) else { return }
            opener?.send(.demuxer(String(message.dropFirst(Self.demuxerChoice.count).dropLast())))
        }
    }

    /// The format of libVLC's line for the choice of a module.
    private static let choice = "using %s module \"%s\""
    private static let demuxerChoice = "using demux module \""

    private static func text(_ format: UnsafePointer<CChar>, _ arguments: CVaListPointer) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
            vsnprintf(buffer.baseAddress!, buffer.count, format, arguments)
            return String(cString: buffer.baseAddress!)
        }
    }
}
#endif
