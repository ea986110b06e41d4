#if Systemd
import DBus
import Foundation
import LogindLifecycle
import Playback
import Synchronization
import TestSupport
import Testing

/// The changes that a source reports for locks and sleep.
@Suite struct LogindLifecycleTests {
    // MARK: Locked

    @Test func aRequestToLockHoldsUntilTheRequestToUnlock() async throws {
        let desktop = try await Desktop()
        var changes = desktop.source().changes.makeAsyncIterator()
        #expect(try await desktop.isFollowed())
        for _ in 1...2 {
            try await desktop.lock()
            #expect(await changes.next() == .began(.locked))
            try await desktop.unlock()
            #expect(await changes.next() == .ended(.locked))
        }
        #expect(desktop.problems == [])
    }

    @Test func theHintIsTheState() async throws {
        let desktop = try await Desktop()
        var changes = desktop.source().changes.makeAsyncIterator()
        #expect(try await desktop.isFollowed())
        try await desktop.setLockedHint(true)
        #expect(await changes.next() == .began(.locked))
        try await desktop.setLockedHint(false)
        #expect(await changes.next() == .ended(.locked))
    }

    @Test func aPasswordUnlocksThoughNobodyAskedForIt() async throws {
        let desktop = try await Desktop()
        var changes = desktop.source().changes.makeAsyncIterator()
        #expect(try await desktop.isFollowed())
        try await desktop.lock()
        #expect(await changes.next() == .began(.locked))
        try await desktop.setLockedHint(true)
        try await desktop.setLockedHint(false)
        #expect(await changes.next() == .ended(.locked))

        try await desktop.lock()
        #expect(await changes.next() == .began(.locked))
        try await desktop.setScreenSaver(true)
        try await desktop.setScreenSaver(false)
        #expect(await changes.next() == .ended(.locked))
    }

    @Test func aSessionThatIsLockedAtTheBeginningIsReported() async throws {
        let desktop = try await Desktop()
        try await desktop.setLockedHint(true)
        var changes = desktop.source().changes.makeAsyncIterator()
        #expect(await changes.next() == .began(.locked))
        try await desktop.setLockedHint(false)
        #expect(await changes.next() == .ended(.locked))
    }

    @Test func anActiveScreenSaverLocks() async throws {
        let desktop = try await Desktop()
        var changes = desktop.source().changes.makeAsyncIterator()
        #expect(try await desktop.isFollowed())
        try await desktop.setScreenSaver(true)
        #expect(await changes.next() == .began(.locked))

        var later = desktop.source().changes.makeAsyncIterator()
        #expect(await later.next() == .began(.locked))

        try await desktop.setScreenSaver(false)
        #expect(await changes.next() == .ended(.locked))
        #expect(await later.next() == .ended(.locked))
    }

    @Test func aScreenSaverThatEndsIsNotActive() async throws {
        let desktop = try await Desktop()
        try await desktop.setScreenSaver(true)
        var changes = desktop.source().changes.makeAsyncIterator()
        #expect(await changes.next() == .began(.locked))
        desktop.screenSaver.end()
        #expect(await changes.next() == .ended(.locked))
    }

    // MARK: Which session

    @Test func thePathOfASessionIsWhatLogindSaysItIs() async throws {
        let desktop = try await Desktop()
        let path = "/org/freedesktop/login1/session/_32"
        try await desktop.logind.call(
            "AddSession", [.string("_32"), .string("seat0"), .uint32(getuid()), .string("somebody"), .bool(true)])
        try await desktop.logind.answer(
            "GetSession", of: "org.freedesktop.login1.Manager", "s", "o", with: "ret = {'2': '\(path)'}[args[0]]")
        var changes = desktop.source(sessionID: "2").changes.makeAsyncIterator()
        #expect(try await desktop.isFollowed())
        // Another session is not this one.
        try await desktop.lock()
        try await desktop.prepareForSleep(true)
        #expect(await changes.next() == .began(.sleep))
        try await desktop.lock(path)
        #expect(await changes.next() == .began(.locked))
    }

    @Test func withoutASessionIDItIsTheOneOfTheProcess() async throws {
        let desktop = try await Desktop()
        try await desktop.logind.answer(
            "GetSessionByPID", of: "org.freedesktop.login1.Manager", "u", "o",
            with: "ret = {\(getpid()): '\(Desktop.session)'}[args[0]]")
        var changes = desktop.source(sessionID: nil).changes.makeAsyncIterator()
        #expect(try await desktop.isFollowed())
        try await desktop.lock()
        #expect(await changes.next() == .began(.locked))
        #expect(desktop.problems == [])
    }

    @Test func aServiceOfAUserTakesTheSessionOnTheDisplay() async throws {
        let desktop = try await Desktop()
        let user = "/org/freedesktop/login1/user/\(getuid())"
        try await desktop.logind.answer(
            "GetUser", of: "org.freedesktop.login1.Manager", "u", "o",
            with: "ret = {\(getuid()): '\(user)'}[args[0]]")
        let display = DBusValue.structure([.string("c1"), .objectPath(Desktop.session)])
        try await desktop.logind.call(
            "Set", [.string("org.freedesktop.login1.User"), .string("Display"), .variant(display)],
            of: "org.freedesktop.DBus.Properties", at: user)
        var changes = desktop.source(sessionID: nil).changes.makeAsyncIterator()
        #expect(try await desktop.isFollowed())
        try await desktop.lock()
        #expect(await changes.next() == .began(.locked))
        #expect(desktop.problems == [])
    }

    @Test func withoutASessionSleepIsStillFollowed() async throws {
        let desktop = try await Desktop()
        var changes = desktop.source(sessionID: nil).changes.makeAsyncIterator()
        #expect(try await desktop.isFollowed())
        #expect(desktop.problems == ["The lock is not observed, because logind has no session of this process."])
        try await desktop.prepareForSleep(true)
        #expect(await changes.next() == .began(.sleep))
    }

    // MARK: Sleep

    @Test func theMachineWaitsBeforeItSleepsAndIsHeldAgainWhenItWakesUp() async throws {
        let desktop = try await Desktop()
        var changes = desktop.source().changes.makeAsyncIterator()
        #expect(try await desktop.isFollowed())
        let inhibitor = try #require(try await desktop.inhibitors().first)
        #expect(inhibitor[0] == .string("sleep"))
        #expect(inhibitor[3] == .string("delay"))
        for _ in 1...2 {
            let start = ContinuousClock.now
            try await desktop.prepareForSleep(true)
            #expect(await changes.next() == .began(.sleep))
            #expect(try await eventually { try await desktop.inhibitors().isEmpty })
            #expect(ContinuousClock.now - start > .milliseconds(490), "players need time to pause")
            try await desktop.prepareForSleep(false)
            #expect(await changes.next() == .ended(.sleep))
            #expect(try await eventually { try await desktop.inhibitors().count == 1 })
        }
    }

    @Test func whoNoLongerListensDelaysNothing() async throws {
        let desktop = try await Desktop()
        let listening = Task { for await _ in desktop.source().changes {} }
        #expect(try await desktop.isFollowed())
        listening.cancel()
        #expect(try await eventually { try await desktop.inhibitors().isEmpty })
        #expect(desktop.problems == [])
    }

    // MARK: A missing or lost bus

    @Test func aBusThatIsLostTakesItsReasonsBack() async throws {
        let desktop = try await Desktop()
        var changes = desktop.source().changes.makeAsyncIterator()
        #expect(try await desktop.isFollowed())
        try await desktop.lock()
        #expect(await changes.next() == .began(.locked))
        desktop.systemBus.end()
        #expect(await changes.next() == .ended(.locked))
        #expect(desktop.problems.last?.hasPrefix("Lock and sleep are not observed, because the system bus") == true)

        try await desktop.setScreenSaver(true)
        #expect(await changes.next() == .began(.locked))
        desktop.sessionBus.end()
        #expect(await changes.next() == .ended(.locked))
        #expect(await changes.next() == nil)
        #expect(desktop.problems.count == 2)
    }

    @Test func logindMayEndAndComeBack() async throws {
        let desktop = try await Desktop()
        try await desktop.setLockedHint(true)
        var changes = desktop.source().changes.makeAsyncIterator()
        #expect(await changes.next() == .began(.locked))
        #expect(try await desktop.isFollowed())
        desktop.logind.end()
        #expect(await changes.next() == .ended(.locked))
        #expect(desktop.problems == ["Lock and sleep are not observed until logind has restarted."])

        let logind = try await Desktop.logind(on: desktop.systemBus)
        try await logind.call(
            "SetLockedHint", [.bool(true)], of: "org.freedesktop.login1.Session", at: Desktop.session)
        #expect(await changes.next() == .began(.locked))
    }

    @Test func withoutLogindScreenSaversAreStillFollowed() async throws {
        let (system, session) = (try await PrivateBus(), try await PrivateBus())
        let (problems, problem) = AsyncStream<String>.makeStream()
        let source = LogindSource(
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": system.address, "DBUS_SESSION_BUS_ADDRESS": session.address]
        ) { problem.yield($0) }
        var changes = source.changes.makeAsyncIterator()
        var texts = problems.makeAsyncIterator()
        let text = try #require(await texts.next())
        #expect(text.hasPrefix("Lock and sleep are not observed, because logind does not answer"))

        // A screen saver that starts later is observed.
        let screenSaver = try await Mock(
            "gnome_screensaver", "org.gnome.ScreenSaver", path: "/org/gnome/ScreenSaver", on: session,
            isSystem: false)
        try await screenSaver.call("SetActive", [.bool(true)], of: "org.gnome.ScreenSaver")
        #expect(await changes.next() == .began(.locked))
    }

    @Test(arguments: [
        ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/session"], ["DBUS_SESSION_BUS_ADDRESS": "nonsense"],
        ["XDG_RUNTIME_DIR": "/nowhere, either"], [:],
    ])
    func withoutABusThereIsNoReason(_ session: [String: String]) async throws {
        let problems = Mutex<[String]>([])
        let environment = session.merging(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/system"]) { $1 }
        let changes = LogindSource(environment: environment) { problem in
            problems.withLock { $0.append(problem) }
        }.changes
        for await change in changes { Issue.record("\(change)") }
        let texts = problems.withLock(\.self).sorted()
        try #require(texts.count == 2)
        #expect(
            texts[0]
                == "Lock and sleep are not observed, because the system bus is not available: "
                + "No such file or directory.")
        let reason = session.isEmpty ? "has no address." : "is not available: "
        #expect(texts[1].hasPrefix("Screen savers are not observed, because the session bus \(reason)"))
    }
}
#endif
