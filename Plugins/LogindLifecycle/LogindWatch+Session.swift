#if Systemd
import DBus
import Foundation

private let logind = "org.freedesktop.login1"
private let managerInterface = "org.freedesktop.login1.Manager"
private let sessionInterface = "org.freedesktop.login1.Session"
private let userInterface = "org.freedesktop.login1.User"

/// What logind says of the session.
extension LogindWatch {
    func followLogind() {
        systemBus?.listen(to: .owner(of: logind)) { [weak self] signal in
            let isThere = signal.arguments.last?.string != ""
            if isThere { self?.readLogind() } else { self?.logindLeft() }
        }
        systemBus?.listen(to: DBusMatch(from: logind, interface: managerInterface, "PrepareForSleep")) {
            [weak self] signal in
            self?.prepareForSleep(signal.arguments.first?.bool == true)
        }
        readLogind()
    }

    func forgetLogind() {
        dropSleepDelay()
        change { $0.forgetLogind() }
    }

    private func logindLeft() {
        report("logind has ended: until it is back, neither lock nor sleep are followed.")
        forgetLogind()
    }

    private func readLogind() {
        let isPreparing = DBusCall.get(
            "PreparingForSleep", of: managerInterface, at: "/org/freedesktop/login1", from: logind)
        systemBus?.call(isPreparing) { [weak self] reply in
            switch reply {
            case .success(let values):
                self?.change { $0.isPreparingForSleep = values.first?.bool == true }
                self?.findSession()
            case .failure(let error):
                // A lost bus has been told of already.
                guard let self, systemBus != nil else { return }
                report("logind does not answer, so neither lock nor sleep are followed: \(error).")
            }
        }
    }

    // MARK: Which session

    private func findSession() {
        var calls = [manager("GetSessionByPID", [.uint32(UInt32(getpid()))])]
        if let id = environment["XDG_SESSION_ID"], !id.isEmpty {
            calls.insert(manager("GetSession", [.string(id)]), at: 0)
        }
        findSession(by: calls[...])
    }

    private func findSession(by calls: ArraySlice<DBusCall>) {
        guard let call = calls.first else { return findSessionOnDisplay() }
        systemBus?.call(call) { [weak self] reply in
            if let path = reply.path { self?.followSession(path) } else { self?.findSession(by: calls.dropFirst()) }
        }
    }

    private func findSessionOnDisplay() {
        systemBus?.call(manager("GetUser", [.uint32(getuid())])) { [weak self] reply in
            guard let path = reply.path else {
                self?.foundNoSession()
                return
            }
            self?.systemBus?.call(.get("Display", of: userInterface, at: path, from: logind)) { [weak self] reply in
                let session = (try? reply.get())?.first?.elements.last?.string
                if let session, session != "/" { self?.followSession(session) } else { self?.foundNoSession() }
            }
        }
    }

    private func foundNoSession() {
        guard systemBus != nil else { return }
        report("logind knows no session of this process: its lock is not followed.")
        delaySleep()
    }

    private func manager(_ member: String, _ arguments: [DBusValue]) -> DBusCall {
        DBusCall(logind, path: "/org/freedesktop/login1", interface: managerInterface, member, arguments)
    }

    // MARK: Its lock

    private func followSession(_ path: String) {
        if path != sessionPath { listen(toSession: path) }
        sessionPath = path
        readLockedHint(path)
        delaySleep()
    }

    private func listen(toSession path: String) {
        systemBus?.listen(to: DBusMatch(from: logind, path: path, interface: sessionInterface)) {
            [weak self] signal in
            switch signal.member {
            case "Lock": self?.change { $0.requestLock(true) }
            case "Unlock": self?.change { $0.requestLock(false) }
            default: break
            }
        }
        systemBus?.listen(to: .properties(of: sessionInterface, at: path, from: logind)) { [weak self] signal in
            guard signal.arguments.count == 3 else { return }
            if let isLocked = signal.arguments[1]["LockedHint"]?.bool {
                self?.change { $0.setLockedHint(isLocked) }
            } else if signal.arguments[2].elements.contains(.string("LockedHint")) {
                self?.readLockedHint(path)
            }
        }
    }

    private func readLockedHint(_ path: String) {
        systemBus?.call(.get("LockedHint", of: sessionInterface, at: path, from: logind)) { [weak self] reply in
            if let isLocked = (try? reply.get())?.first?.bool { self?.change { $0.setLockedHint(isLocked) } }
        }
    }

    // MARK: Sleep

    /// How long the machine is kept awake for players that pause. By default logind allows five seconds.
    private static let timeToPause = DispatchTimeInterval.milliseconds(500)

    private func prepareForSleep(_ isPreparing: Bool) {
        change { $0.isPreparingForSleep = isPreparing }
        if isPreparing { endSleepDelay() } else { delaySleep() }
    }

    private func delaySleep() {
        endOfSleepDelay?.cancel()
        guard sleepDelay == nil else { return }
        let inhibit = manager(
            "Inhibit",
            [
                .string("sleep"), .string(ProcessInfo.processInfo.processName),
                .string("Playback pauses before sleep"), .string("delay"),
            ])
        systemBus?.call(inhibit) { [weak self] reply in
            guard let self, systemBus != nil else { return }
            switch reply {
            case .success(let values):
                sleepDelay = values.first?.descriptor
                if isPreparingForSleep { endSleepDelay() }
            case .failure(let error):
                report("The machine may sleep before playback has paused: \(error).")
            }
        }
    }

    private func endSleepDelay() {
        endOfSleepDelay?.cancel()
        let end = DispatchWorkItem { [weak self] in self?.sleepDelay = nil }
        endOfSleepDelay = end
        queue.asyncAfter(deadline: .now() + Self.timeToPause, execute: end)
    }

    func dropSleepDelay() {
        endOfSleepDelay?.cancel()
        sleepDelay = nil
    }
}

extension Result<[DBusValue], DBusError> {
    /// The path that a method gives.
    fileprivate var path: String? { (try? get())?.first?.string }
}
#endif
