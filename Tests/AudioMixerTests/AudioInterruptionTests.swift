#if VLC || GStreamer
import Playback
import Testing

@testable import AudioMixer

/// The reports for an audio server's events.
@Suite struct AudioInterruptionTests {
    private func reports(_ events: [AudioInterruption.Event], isOpen: Bool = true) -> [BackendEvent.Body] {
        var interruption = AudioInterruption()
        let opened = isOpen ? interruption.opened() : nil
        let reports = events.compactMap { interruption.handle($0) }
        return [opened].compactMap(\.self) + reports + (isOpen ? [] : [interruption.opened()].compactMap(\.self))
    }

    private let over = BackendEvent.Body.interruptionEnded(shouldResume: true)

    @Test func aCorkedStreamIsInterruptedUntilItIsUncorked() {
        #expect(reports([.corked, .muted, .uncorked, .unmuted]) == [.interruptionBegan, over])
        #expect(reports([.corked, .muted, .unmuted, .uncorked]) == [.interruptionBegan, over])
    }

    @Test func anInterruptionEndsWithTheUnmute() {
        #expect(reports([.corked, .muted, .unmuted]) == [.interruptionBegan, over])
    }

    @Test func aMuteByTheUserIsNoInterruption() {
        #expect(reports([.muted, .unmuted, .unmuted, .uncorked]) == [])
    }

    @Test func eachInterruptionIsReportedOnce() {
        #expect(
            reports([.corked, .corked, .uncorked, .uncorked, .corked])
                == [.interruptionBegan, over, .interruptionBegan])
    }

    @Test func anEarlyInterruptionIsReportedAfterOpening() {
        #expect(reports([.corked], isOpen: false) == [.interruptionBegan])
        #expect(reports([.corked, .uncorked], isOpen: false) == [])
    }

    @Test func onlyAReportedInterruptionCanBeOverridden() {
        var interruption = AudioInterruption()
        _ = interruption.handle(.corked)
        #expect(interruption.override() == nil && interruption.isActive)
        #expect(interruption.opened() == .interruptionBegan)
        #expect(interruption.override() == over)
        #expect(interruption.override() == nil && interruption.handle(.uncorked) == nil)
    }

    private static let rules: [(String, Set<String>, Set<String>)] = [
        ("", ["phone"], ["music", "video"]),
        ("trigger_roles=phone,event cork_roles=music", ["phone", "event"], ["music"]),
        ("cork_roles=\"game,a11y\" global=1", ["phone"], ["game", "a11y"]),
        ("nonsense =", ["phone"], ["music", "video"]),
    ]

    @Test(arguments: rules)
    func theRulesOfTheServerAreRead(arguments: String, triggers: Set<String>, silenced: Set<String>) {
        let rule = PulseCorkRule(arguments)
        #expect(rule.triggerRoles == triggers && rule.corkRoles == silenced)
    }
}
#endif
