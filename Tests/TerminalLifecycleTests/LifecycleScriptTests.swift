import FlowplayerTesting
import Foundation
import Playback
import TerminalLifecycle
import Testing

@MainActor
@Suite struct LifecycleScriptTests {
    @Test func stepsAreReadWhateverTheSpaces() throws {
        let script = try LifecycleScript("2s hidden; 1.5s   locked;300ms\tforeground ;")
        #expect(script.steps.map(\.delay) == [.seconds(2), .milliseconds(1500), .milliseconds(300)])
        #expect(script.steps.map(\.reason) == [.hidden, .locked, nil])
    }

    @Test(arguments: ["hidden", "locked", "jobStopped", "sleep", "pictureInPicture"])
    func everyReasonCanBeNamed(name: String) throws {
        #expect(try LifecycleScript("0s \(name)").steps.map(\.reason) == [BackgroundReason(rawValue: name)])
    }

    @Test(arguments: [
        ("", "has steps"), (" ; ;", "has steps"), ("hidden", "\"hidden\" is no step"), ("2s", "\"2s\" is no step"),
        ("2 hidden", "no step"), ("2m hidden", "no step"), ("-1s hidden", "no step"), ("nans hidden", "no step"),
        ("infs hidden", "no step"), ("s hidden", "no step"), ("ms hidden", "no step"), ("1s hidden now", "no step"),
        ("1s hidden, 2s foreground", "no step"), ("1s asleep", "no reason asleep: choose hidden, locked"),
        ("1s hidden; 1s Foreground", "no reason Foreground"),
    ])
    func whatIsNoScriptSaysWhatIsWrong(text: String, hint: String) {
        let error = #expect(throws: LifecycleScript.ParseError.self) { try LifecycleScript(text) }
        #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
    }

    @Test func stepsComeAtTheirTimes() async throws {
        let (clock, lifecycle) = (ManualClock(), ApplicationLifecycle(notificationCenter: NotificationCenter()))
        let script = try LifecycleScript("2s hidden; 1s locked; 3s foreground")
        let run = Task { try await script.run(on: lifecycle, clock: clock) }
        var reasons: [Set<BackgroundReason>] = []
        for _ in 1...6 {
            await clock.untilSleeping()
            reasons.append(lifecycle.reasons)
            await clock.advance(by: .seconds(1))
        }
        #expect(reasons == [[], [], [.hidden], [.hidden, .locked], [.hidden, .locked], [.hidden, .locked]])
        try await run.value
        #expect(lifecycle.reasons.isEmpty)
    }

    @Test func aScriptEndsWhereItIsWhenItsTaskIsCancelled() async throws {
        let (clock, lifecycle) = (ManualClock(), ApplicationLifecycle(notificationCenter: NotificationCenter()))
        let script = try LifecycleScript("1s hidden; 1s foreground")
        let run = Task { try await script.run(on: lifecycle, clock: clock) }
        await clock.untilSleeping()
        await clock.advance(by: .seconds(1))
        await clock.untilSleeping()
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        await clock.advance(by: .seconds(5))
        #expect(lifecycle.reasons == [.hidden])
    }
}
