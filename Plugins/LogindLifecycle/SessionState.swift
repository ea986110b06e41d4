#if Systemd
import Playback

/// What is known of a session, and what follows from it.
struct SessionState {
    var isPreparingForSleep = false
    private var isLockRequested = false
    private var hasLockedHint = false
    private var activeScreenSavers: Set<String> = []

    /// `LockedHint` is the state, but not every locker sets it; `Lock` asks for a lock.
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
            // Somebody has unlocked it with a password: no `Unlock` tells of that.
            isLockRequested = false
        }
    }

    /// The screen saver has ended without a word: that unlocks nothing.
    mutating func forgetScreenSaver(_ name: String) { activeScreenSavers.remove(name) }

    mutating func forgetScreenSavers() { activeScreenSavers = [] }

    mutating func forgetLogind() {
        isPreparingForSleep = false
        isLockRequested = false
        hasLockedHint = false
    }
}
#endif
