import DBus
import Foundation

private let logind = "org.freedesktop.login1"
private let managerInterface = "org.freedesktop.login1.Manager"
private let sessionInterface = "org.freedesktop.login1.Session"
private let userInterface = "org.freedesktop.login1.User"

// Logind: the lock of the session and the sleep of the machine.
extension LogindWatch {
    func observeLogind() {
        systemBus?.listen(to: .owner(of: logind)) { [self] signal in
            if signal.arguments.last?.string != "" { return readLogind() }
            report("Lock and sleep are not observed until logind has restarted.")
            forgetLogind()
        }
        let sleep = DBusMatch(from: logind, interface: managerInterface, "PrepareForSleep")
        systemBus?.listen(to: sleep) { [self] signal in
            let isPreparing = signal.arguments.first?.bool == true
            change { $0.logind.isPreparingForSleep = isPreparing }
            if isPreparing { endSleepDelay() } else { delaySleep() }
        }
        readLogind()
    }

    func forgetLogind() {
        dropSleepDelay()
        change { $0.logind = SessionState.Logind() }
    }

    private func readLogind() {
        let isPreparing = DBusCall.get(
            "PreparingForSleep", of: managerInterface, at: "/org/freedesktop/login1", from: logind)
        systemBus?.call(isPreparing) { [self] reply in
            switch reply {
            case .success(let values):
                change { $0.logind.isPreparingForSleep = values.first?.bool == true }
                Task { await findSession() }
            case .failure(let error):
                reportProblem("Lock and sleep are not observed, because logind does not answer: \(error).")
            }
        }
    }

    /// A lost bus is already reported.
    private func reportProblem(_ text: String) {
        if systemBus != nil { report(text) }
    }

    // MARK: The session

    private func findSession() async {
        let byID = environment["XDG_SESSION_ID"].map { manager("GetSession", [.string($0)]) }
        let byProcess = manager("GetSessionByPID", [.uint32(UInt32(getpid()))])
        for call in [byID, byProcess].compactMap(\.self) {
            if let session = await path(call) { return observeSession(session) }
        }
        if let user = await path(manager("GetUser", [.uint32(getuid())])),
            let session = await path(.get("Display", of: userInterface, at: user, from: logind)), session != "/"
        {
            return observeSession(session)
        }
        reportProblem("The lock is not observed, because logind has no session of this process.")
        delaySleep()
    }

    /// The path in a reply: its first value, or the last element of that.
    private func path(_ call: DBusCall) async -> String? {
        let value = try? await systemBus?.call(call).first
        return value?.string ?? value?.elements.last?.string
    }

    private func manager(_ member: String, _ arguments: [DBusValue]) -> DBusCall {
        DBusCall(logind, path: "/org/freedesktop/login1", interface: managerInterface, member, arguments)
    }

    // MARK: The lock

    private func observeSession(_ path: String) {
        if path != sessionPath { listen(toSession: path) }
        sessionPath = path
        readLockedHint(path)
        delaySleep()
    }

    private func listen(toSession path: String) {
        systemBus?.listen(to: DBusMatch(from: logind, path: path, interface: sessionInterface)) { [self] signal in
            switch signal.member {
            case "Lock": change { $0.logind.isLockRequested = true }
            case "Unlock": change { $0.logind.isLockRequested = false }
            default: break
            }
        }
        systemBus?.listen(to: .properties(of: sessionInterface, at: path, from: logind)) { [self] signal in
            guard signal.arguments.count == 3 else { return }
            if let isLocked = signal.arguments[1]["LockedHint"]?.bool {
                change { $0.logind.hasLockedHint = isLocked }
            } else if signal.arguments[2].elements.contains(.string("LockedHint")) {
                readLockedHint(path)
            }
        }
    }

    private func readLockedHint(_ path: String) {
        systemBus?.call(.get("LockedHint", of: sessionInterface, at: path, from: logind)) { [self] reply in
            if let isLocked = (try? reply.get())?.first?.bool { change { $0.logind.hasLockedHint = isLocked } }
        }
    }

    // MARK: Sleep

    /// The delay of sleep in which players pause. By default logind allows five seconds.
    private static let timeToPause = Duration.milliseconds(500)

    private func delaySleep() {
        endOfSleepDelay?.cancel()
        guard sleepDelay == nil else { return }
        let inhibit = manager(
            "Inhibit",
            [
                .string("sleep"), .string(ProcessInfo.processInfo.processName),
                .string("Playback pauses before sleep"), .string("delay"),
            ])
        systemBus?.call(inhibit) { [self] reply in
            switch reply {
            case .success(let values):
                if case .descriptor(let descriptor)? = values.first { sleepDelay = descriptor }
                if state.logind.isPreparingForSleep { endSleepDelay() }
            case .failure(let error):
                reportProblem("The machine may sleep before playback has paused: \(error).")
            }
        }
    }

    private func endSleepDelay() {
        endOfSleepDelay?.cancel()
        endOfSleepDelay = Task { [weak self] in
            try? await Task.sleep(for: Self.timeToPause)
            if !Task.isCancelled { self?.sleepDelay = nil }
        }
    }

    func dropSleepDelay() {
        endOfSleepDelay?.cancel()
        sleepDelay = nil
    }
}
