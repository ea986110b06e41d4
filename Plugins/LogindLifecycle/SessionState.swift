import Playback

/// The observed state of a session, and the background reasons that follow from it.
struct SessionState {
    /// The state that logind reports.
    struct Logind {
        var isPreparingForSleep = false
        var isLockRequested = false
        /// This is the state of the lock, but not every locker sets it.
        var hasLockedHint = false {
            didSet { if oldValue, !hasLockedHint { isLockRequested = false } }
        }
    }

    var logind = Logind()
    var activeScreenSavers: Set<String> = []

    var reasons: Set<BackgroundReason> {
        var reasons: Set<BackgroundReason> = []
        if logind.isLockRequested || logind.hasLockedHint || !activeScreenSavers.isEmpty { reasons.insert(.locked) }
        if logind.isPreparingForSleep { reasons.insert(.sleep) }
        return reasons
    }

    mutating func setScreenSaver(_ name: String, isActive: Bool) {
        if isActive {
            activeScreenSavers.insert(name)
        } else if activeScreenSavers.remove(name) != nil {
            // After an unlock with a password, logind sends no `Unlock`.
            logind.isLockRequested = false
        }
    }
}
