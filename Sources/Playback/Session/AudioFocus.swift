/// Decides which sessions of a program sound.
///
/// A session that becomes active interrupts the other active ones, unless one of the two goes together with others. A session in
/// the background never interrupts one in the foreground: it is interrupted itself, until that one has done.
@MainActor
public final class AudioFocus {
    /// That of the process.
    public static let shared = AudioFocus()

    /// The one that became active last is the last.
    private var sessions: [Weak<AudioSession>] = []

    /// Another one, for tests.
    public init() {}

    private var active: [AudioSession] { sessions.compactMap(\.value) }

    /// - Returns: `false` if the session does not sound, because one in the foreground does.
    func activate(_ session: AudioSession) -> Bool {
        sessions.removeAll { $0.value == nil || $0.value === session }
        sessions.append(Weak(session))
        let rivals = rivals(of: session)
        let superior = session.isBehind ? rivals.first { !$0.isBehind && $0.sounds } : nil
        if let superior {
            session.interrupt(by: superior)
        } else {
            session.endInterruptionByAnother(shouldResume: true)
            for rival in rivals { rival.interrupt(by: session) }
        }
        duck()
        return superior == nil
    }

    /// - Parameter notifies: whether what it has interrupted goes on by itself.
    func deactivate(_ session: AudioSession, notifies: Bool) {
        sessions.removeAll { $0.value == nil || $0.value === session }
        session.isDucked = false
        session.endInterruptionByAnother(shouldResume: false)
        release(session, notifies: notifies)
        duck()
    }

    /// The session gets on with others now, or no longer.
    func categoryChanged(_ session: AudioSession) {
        guard active.contains(where: { $0 === session }) else { return }
        if session.mixes {
            session.endInterruptionByAnother(shouldResume: true)
            release(session, notifies: true)
        }
        duck()
    }

    private func release(_ session: AudioSession, notifies: Bool) {
        // One that is being dropped is nobody's interrupter any more.
        let held = active.filter { $0.isInterruptedByAnother && ($0.interrupter == nil || $0.interrupter === session) }
        for other in held {
            // Of several that wait for it, the one that was heard last is heard again.
            let heir = rivals(of: other).last { rival in
                !rival.isInterruptedByAnother || held.contains { $0 === rival && $0.isInterruptedByAnother }
            }
            if let heir, isYounger(heir, than: other) {
                other.interrupt(by: heir)
            } else {
                other.endInterruptionByAnother(shouldResume: notifies)
            }
        }
    }

    private func isYounger(_ session: AudioSession, than other: AudioSession) -> Bool {
        let order = active
        guard let first = order.firstIndex(where: { $0 === session }),
            let second = order.firstIndex(where: { $0 === other })
        else { return false }
        return first > second
    }

    private func rivals(of session: AudioSession) -> [AudioSession] {
        session.mixes ? [] : active.filter { $0 !== session && !$0.mixes }
    }

    private func duck() {
        let active = active
        for session in active {
            session.isDucked = active.contains { $0 !== session && $0.ducksOthers }
        }
    }
}

/// Somebody who is not kept alive.
struct Weak<Value: AnyObject> {
    weak var value: Value?

    init(_ value: Value) { self.value = value }
}
