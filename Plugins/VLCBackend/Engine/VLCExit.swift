#if VLC
import CVLC
import Foundation
import Synchronization

/// Stops libVLC when the process exits.
///
/// `exit` runs the destructors of C++ libraries while libVLC's threads still use these libraries, for example to read
/// tags. The process then ends with a segmentation fault. Exit handlers run in reverse order, so this one is registered
/// after the libraries are loaded. A process can also exit while an engine loads them. So the handler is registered
/// before too, and runs once.
enum VLCExit {
    private struct Player: @unchecked Sendable {
        // libVLC allows calls with a player from every thread. The player is removed before it is released.
        let pointer: OpaquePointer
        let bytes: VLCByteSource?
    }

    /// The longest delay of the exit, in seconds. A call that hangs does not keep the process.
    private static let timeout = 2.0
    private static let players = Mutex<[Player]>([])

    /// The engines and modules that are being loaded.
    private static let starting = DispatchGroup()
    private static let hasBegunFlag = Atomic(false)

    /// `true` if the process exits.
    static var hasBegun: Bool { hasBegunFlag.load(ordering: .relaxed) }

    /// Registers the exit handler, once a process, before an engine starts.
    static let prepare: Void = register()
    /// Registers the exit handler, once a process, after the libraries in C++ are loaded.
    static let prepareWithLibraries: Void = register()

    private static func register() {
        atexit {
            guard !VLCExit.hasBegunFlag.exchange(true, ordering: .relaxed) else { return }
            let isStopped = DispatchSemaphore(value: 0)
            Thread.detachNewThread { VLCExit.stopAll(then: isStopped) }
            _ = isStopped.wait(timeout: .now() + VLCExit.timeout)
        }
    }

    /// Loads libVLC or its modules. Does not return if the process exits.
    static func start(_ load: () -> Void) {
        waitForever(if: hasBegun)
        players.withLock { _ in starting.enter() }
        load()
        starting.leave()
    }

    /// Adds a player that starts to play. Does not return if the process exits.
    static func add(_ pointer: OpaquePointer, reading bytes: VLCByteSource?) {
        waitForever(if: hasBegun)
        let player = Player(pointer: pointer, bytes: bytes)
        players.withLock { $0 = $0.filter { $0.pointer != player.pointer } + [player] }
    }

    /// Removes a player that is about to be released. Does not return if the process exits.
    static func remove(_ pointer: OpaquePointer) {
        nonisolated(unsafe) let pointer = pointer
        players.withLock { players in players.removeAll { $0.pointer == pointer } }
    }

    private static func stopAll(then isStopped: DispatchSemaphore) {
        players.withLock { players in
            for player in players {
                player.bytes?.cancel()
                libvlc_media_player_stop(player.pointer)
            }
            starting.wait()
            isStopped.signal()
            // The lock is kept, so that no engine and no player starts or is released until the process is gone.
            waitForever(if: true)
        }
    }

    private static func waitForever(if isExiting: Bool) {
        while isExiting { sleep(.max) }
    }
}
#endif
