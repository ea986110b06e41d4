#if VLC
import CVLC
import Foundation
import Synchronization

/// Gives the lines of the one log of libVLC to the players that they are about.
///
/// libVLC does not say which player a line is about. But a player's *opening* event comes on the thread that opens
/// its medium, and so does most of what is logged about that; each line names the object that speaks. So a thread is
/// known from the event on, an object from the first line that it speaks on a known thread, and what that object
/// says later on other threads is known by it.
final class VLCLogRouter: Sendable {
    typealias DeckID = Int

    private struct State {
        var sinks: [DeckID: @Sendable (VLCEvent) -> Void] = [:]
        var decksByThread: [UInt: DeckID] = [:]
        var decksByObject: [UInt: DeckID] = [:]
    }

    private let state = Mutex(State())

    func add(_ deck: DeckID, sink: @escaping @Sendable (VLCEvent) -> Void) {
        state.withLock { $0.sinks[deck] = sink }
    }

    func remove(_ deck: DeckID) {
        state.withLock { state in
            state.sinks[deck] = nil
            state.decksByThread = state.decksByThread.filter { $0.value != deck }
            state.decksByObject = state.decksByObject.filter { $0.value != deck }
        }
    }

    /// The calling thread opens media for a player.
    func claimThread(for deck: DeckID) {
        state.withLock { $0.decksByThread[Self.thread] = deck }
    }

    /// Where to send what the object says on the calling thread.
    private func sink(forObject object: UInt) -> (@Sendable (VLCEvent) -> Void)? {
        state.withLock { state in
            if let deck = state.decksByThread[Self.thread] {
                state.decksByObject[object] = deck
                return state.sinks[deck]
            }
            if let deck = state.decksByObject[object] { return state.sinks[deck] }
            return state.sinks.count == 1 ? state.sinks.first?.value : nil
        }
    }

    private static var thread: UInt { UInt(pthread_self()) }

    /// Takes over the log of an instance, until `libvlc_log_unset`.
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
        guard let sink = sink(forObject: object) else { return }
        if level >= LIBVLC_WARNING.rawValue {
            var module: UnsafePointer<CChar>?
            libvlc_log_get_context(line, &module, nil, nil)
            let message = Self.text(format, arguments)
            sink(.logged(VLCLogLine(module: module.map { String(cString: $0) } ?? "", message: message)))
        } else if strcmp(format, Self.choice) == 0 {
            let message = Self.text(format, arguments)
            guard message.hasPrefix(Self.demuxerChoice) else { return }
            sink(.demuxer(String(message.dropFirst(Self.demuxerChoice.count).dropLast())))
        }
    }

    /// How libVLC says which of its modules it takes.
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
