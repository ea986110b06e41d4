import FlowplayerIsolation
import FlowplayerSDK
import Foundation
import Playback
import TestSupport

#if VLC
import VLCBackend
#endif

/// The number of abandoned engines. A soak must not make a call of libVLC hang.
var abandonedEngines: [String] {
    #if VLC
    LibVLCBackend.abandonedEngines == 0 ? [] : ["\(LibVLCBackend.abandonedEngines) engines were stuck"]
    #else
    []
    #endif
}

/// Makes the engines of the players, and ends the processes of some.
@MainActor
final class SoakEngines {
    private struct Reference {
        weak var backend: IsolatedBackend?
    }

    let isIsolated: Bool
    private var backends: [Reference] = []
    /// The number of processes that were ended.
    private(set) var kills = 0

    init(isIsolated: Bool) { self.isIsolated = isIsolated }

    func backend() -> any PlaybackBackend {
        guard isIsolated else { return BackendRegistry.makeSilentBackend() }
        let backend = IsolatedBackend(options: ["audio": "none"])
        backends.removeAll { $0.backend == nil }
        backends.append(Reference(backend: backend))
        return backend
    }

    /// Ends, breaks or stops the process of one player. Does nothing if no player has one.
    func kill(_ dice: inout Dice) async {
        for reference in backends.shuffled(using: &dice) {
            guard let process = await reference.backend?.status?.processIdentifier else { continue }
            Glibc.kill(process, [SIGKILL, SIGSEGV, SIGSTOP].randomElement(using: &dice)!)
            kills += 1
            return
        }
    }
}
