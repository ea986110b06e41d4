#if Systemd
import Playback

/// The observed state of a session, and the background reasons that follow from it.
struct SessionState {
    var isPreparingForSleep = false
    private var isLockRequested = false
    private var hasLockedHint = false
    private var activeScreenSavers: Set<String> = []

    /// `LockedHint` is the state, but not every locker sets it. `Lock` requests a lock.
    var reasons: Set<BackgroundReason> {
        var reasons: Set<BackgroundReason> = []
        if isLockRequested || hasLockedHint || !activeScreenSavers.isEmpty { reasons.insert(.locked) }
        if isPreparingForSleep { reasons.insert(.sleep) }
        return reasons
    }

    mutating func requestLock(_ isRequested: Bool) { isLockRequested = isRequested }

    mutating func setLockedHint(_ isLocked: Bool) {
        if hasLockedHint, !isLocked { isLockRequested = false }
        hasLockedHint = isLocked
    }

    mutating func setScreenSaver(_ name: String, isActive: Bool) {
        if isActive {
            activeScreenSavers.insert(name)
        } else if activeScreenSavers.remove(name) != nil {
            // After an unlock with a password, logind sends no `Unlock`.
            isLockRequested = false
        }
    }

    /// Handles the end of the screen saver's process, which is not an unlock.
    mutating func forgetScreenSaver(_ name: String) { activeScreenSavers.remove(name) }

    mutating func forgetScreenSavers() { activeScreenSavers = [] }

    mutating func forgetLogind() {
        isPreparingForSleep = false
        isLockRequested = false
        hasLockedHint = false
    }
}
#endif
