#if VLC
import CVLC
import Foundation
import Synchronization

/// Stops libVLC when the process exits.
///
/// `exit` runs the destructors of C++ libraries while libVLC's threads still use these libraries, for example to read
/// tags. The process then ends with a segmentation fault. Exit handlers run in reverse order, so this one is registered
/// after the libraries are loaded.
enum VLCExit {
    private struct Player: @unchecked Sendable {
        // libVLC allows calls with a player from every thread. The player is removed before it is released.
        let pointer: OpaquePointer
        let bytes: VLCByteSource?
    }

    /// The longest delay of the exit, in seconds. A call that hangs does not keep the process.
    private static let timeout = 2.0
    private static let players = Mutex<[Player]>([])

    /// Registers the exit handler, once a process.
    static let prepare: Void = {
        atexit {
            let isStopped = DispatchSemaphore(value: 0)
            Thread.detachNewThread { VLCExit.stopAll(then: isStopped) }
            _ = isStopped.wait(timeout: .now() + VLCExit.timeout)
        }
    }()

    /// Adds a player that starts to play. Does not return if the process exits.
    static func add(_ pointer: OpaquePointer, reading bytes: VLCByteSource?) {
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
            isStopped.signal()
            // The lock is kept, so that no player starts or is released until the process is gone.
            while true { sleep(.max) }
        }
    }
}
#endif
