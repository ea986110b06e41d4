/// Decides which sessions of a program play.
///
/// A session that becomes active interrupts the other active ones, unless one of the two mixes with others. A session
/// in the background never interrupts one in the foreground: it is interrupted itself until the other one is done.
@MainActor
public final class AudioFocus {
    /// The focus of the process.
    public static let shared = AudioFocus()

    /// The sessions in the order in which they became active.
    private var sessions: [Weak<AudioSession>] = []

    /// Creates a separate focus, for tests.
    public init() {}

    private var active: [AudioSession] { sessions.compactMap(\.value) }

    /// - Returns: `false` if a session in the foreground keeps the session from playing.
    func activate(_ session: AudioSession) -> Bool {
        sessions.removeAll { $0.value == nil || $0.value === session }
        sessions.append(Weak(session))
        let rivals = rivals(of: session)
        let superior = session.isBehind ? rivals.first { !$0.isBehind && $0.isPlaying } : nil
        if let superior {
            session.interrupt(by: superior)
        } else {
            session.endInterruptionByAnother(shouldResume: true)
            for rival in rivals { rival.interrupt(by: session) }
        }
        duck()
        return superior == nil
    }

    /// - Parameter notifies: `true` to resume the interrupted sessions.
    func deactivate(_ session: AudioSession, notifies: Bool) {
        sessions.removeAll { $0.value == nil || $0.value === session }
        session.isDucked = false
        session.endInterruptionByAnother(shouldResume: false)
        release(session, notifies: notifies)
        duck()
    }

    /// Handles a session that begins or ends to mix with others.
    func categoryChanged(_ session: AudioSession) {
        guard active.contains(where: { $0 === session }) else { return }
        if session.mixes {
            session.endInterruptionByAnother(shouldResume: true)
            release(session, notifies: true)
        }
        duck()
    }

    private func release(_ session: AudioSession, notifies: Bool) {
        // A session that is being deallocated no longer interrupts others.
        let held = active.filter { $0.isInterruptedByAnother && ($0.interrupter == nil || $0.interrupter === session) }
        for other in held {
            // If several sessions wait for it, the one that played last plays again.
            let younger = active.drop { $0 !== other }
            let heir = rivals(of: other).last { rival in
                younger.contains { $0 === rival } && (!rival.isInterruptedByAnother || held.contains { $0 === rival })
            }
            if let heir {
                other.interrupt(by: heir)
            } else {
                other.endInterruptionByAnother(shouldResume: notifies)
            }
        }
    }

    private func rivals(of session: AudioSession) -> [AudioSession] {
        session.mixes ? [] : active.filter { $0 !== session && !$0.mixes }
    }

    private func duck() {
        for session in active {
            session.isDucked = active.contains { $0 !== session && $0.ducksOthers }
        }
    }
}

/// A weak reference.
struct Weak<Value: AnyObject> {
    weak var value: Value?

    init(_ value: Value) { self.value = value }
}
