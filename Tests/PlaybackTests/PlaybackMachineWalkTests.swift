import Foundation
import TestSupport
import Testing

@testable import Playback

/// Every state with every input, and long random ways through all of them.
@Suite struct PlaybackMachineWalkTests {
    /// A state that a player can be in, and the story that led there.
    struct Situation: CustomTestStringConvertible {
        let name: String
        let story: Scenario

        var testDescription: String { name }
    }

    /// Every state, suppressed and seeking ones too.
    static let situations: [Situation] = {
        func story(_ build: (inout Scenario) -> Void) -> Scenario {
            var story = Scenario()
            build(&story)
            return story
        }
        return [
            Situation(name: "idle", story: story { _ in }),
            Situation(name: "opening", story: story { $0.command(.load(Scenario.item, autoPlay: false)) }),
            Situation(name: "opening to play", story: story { $0.command(.load(Scenario.item, autoPlay: true)) }),
            Situation(
                name: "opening and seeking",
                story: story {
                    $0.command(.load(Scenario.item, autoPlay: true))
                    $0.command(.seek(3))
                }),
            Situation(name: "ready", story: story { $0.load(autoPlay: false) }),
            Situation(
                name: "ready to play",
                story: story {
                    $0.command(.load(Scenario.item, autoPlay: true))
                    $0.opened()
                }),
            Situation(name: "playing", story: story { $0.load() }),
            Situation(name: "playing live", story: story { $0.load(duration: nil, isSeekable: false) }),
            Situation(
                name: "playing live with a window",
                story: story {
                    $0.command(.load(Scenario.item, autoPlay: true))
                    $0.opened(duration: nil, dvrWindow: DVRWindow(start: 20, end: 80), position: 80)
                    $0.backend(.playing(position: 80))
                }),
            Situation(
                name: "held at its end",
                story: story {
                    $0.load()
                    $0.command(.suppressEnd(.adLoading))
                    $0.backend(.ended(position: 10))
                }),
            Situation(
                name: "held at its end for an advertisement",
                story: story {
                    $0.load()
                    $0.command(.suppressEnd(.adLoading))
                    $0.backend(.ended(position: 10))
                    $0.command(.suppress(.adBreak))
                    $0.command(.pause)
                }),
            Situation(
                name: "in an advertisement",
                story: story {
                    $0.load()
                    $0.command(.suppress(.adBreak))
                }),
            Situation(name: "resolving", story: story { $0.command(.load(Scenario.deferred, autoPlay: true)) }),
            Situation(
                name: "resolving and seeking",
                story: story {
                    $0.command(.load(Scenario.deferred, autoPlay: false))
                    $0.command(.seek(3))
                }),
            Situation(
                name: "failed to resolve",
                story: story {
                    $0.command(.load(Scenario.deferred, autoPlay: true))
                    $0.command(.failResolving($0.snapshot.generation, .test))
                }),
            Situation(
                name: "playing with tracks",
                story: story {
                    $0.command(.load(Scenario.item, autoPlay: true))
                    $0.opened(tracks: Scenario.tracks, subtitle: 12)
                    $0.backend(.playing(position: 0))
                }),
            Situation(
                name: "paused",
                story: story {
                    $0.load()
                    $0.command(.pause)
                }),
            Situation(
                name: "suppressed",
                story: story {
                    $0.load()
                    $0.command(.suppress(.background))
                }),
            Situation(
                name: "interrupted",
                story: story {
                    $0.load()
                    $0.backend(.interruptionBegan)
                }),
            Situation(
                name: "stalled",
                story: story {
                    $0.load()
                    $0.backend(.stalled(position: 0))
                }),
            Situation(
                name: "seeking",
                story: story {
                    $0.load()
                    $0.command(.seek(3))
                }),
            Situation(
                name: "seeking twice",
                story: story {
                    $0.load()
                    $0.command(.seek(3))
                    $0.command(.seek(4))
                }),
            Situation(
                name: "seeking paused",
                story: story {
                    $0.load()
                    $0.command(.pause)
                    $0.command(.seek(3))
                }),
            Situation(
                name: "paused by the background",
                story: story {
                    $0.load()
                    $0.command(.enterBackground(.pause, resumes: false))
                }),
            Situation(
                name: "sounding in the background",
                story: story {
                    $0.load()
                    $0.command(.enterBackground(.continueAudio, resumes: false))
                }),
            Situation(
                name: "ended in the background",
                story: story {
                    $0.load()
                    $0.command(.enterBackground(.continueAudio, resumes: false))
                    $0.backend(.ended(position: 10))
                }),
            Situation(
                name: "ended",
                story: story {
                    $0.load()
                    $0.backend(.ended(position: 10))
                }),
            Situation(
                name: "failed",
                story: story {
                    $0.load()
                    $0.backend(.failed(.test, position: 2))
                }),
            Situation(
                name: "failed to open",
                story: story {
                    $0.command(.load(Scenario.item, autoPlay: true))
                    $0.backend(.failed(.test, position: 0))
                }),
            Situation(
                name: "stopped",
                story: story {
                    $0.load()
                    $0.command(.stop)
                }),
        ]
    }()

    static let numbers = [-1, 0, 0.5, 3, 9.99, 10, 11, .nan, .infinity]

    static let commands: [PlayerCommand] =
        [
            .load(Scenario.item, autoPlay: true), .load(Scenario.item, autoPlay: false, startPosition: 4),
            .warn(PlaybackNotice(code: "test", message: "A test.")), .reload(autoPlay: true), .play, .pause, .stop,
            .setMuted(true), .setMuted(false), .suppress(.background), .load(Scenario.deferred, autoPlay: true),
            .resolve(Generation(rawValue: 1), Scenario.item), .failResolving(Generation(rawValue: 1), .test),
            .selectAudio(1), .selectAudio(2), .selectAudio(99), .selectSubtitle(11), .selectSubtitle(99),
            .selectSubtitle(nil), .selectSubtitle(SubtitleTrack.off.id),
            .suppress(.interruption), .unsuppress(.background), .unsuppress(.interruption),
            .suppress(.adLoading), .unsuppress(.adLoading), .suppress(.adBreak), .unsuppress(.adBreak),
            .suppressEnd(.adLoading), .suppressEnd(nil), .advertise(Advertisement(type: .preRoll)), .advertise(nil),
            .setAdBreaks([1...1, 9...2000]), .reportAd(.state(.start, .preRoll)), .reportAd(.failed(.apiError)),
            .leaveBackground(resumes: true), .leaveBackground(resumes: false), .attachVideo(false),
            .attachVideo(true), .beginInterruption(.engine), .endInterruption(.engine, shouldResume: true),
            .endInterruption(.host, shouldResume: false), .setRole(.phone), .setRole(nil), .duck(true), .duck(false),
            .provideAddresses(true), .provideAddresses(false), .expectInterstitials(true), .expectInterstitials(false),
            .allowPreloading(true), .allowPreloading(false),
            .readdress(Generation(rawValue: 1), to: nil),
        ]
        + BackgroundAction.allCases.flatMap {
            [.enterBackground($0, resumes: true), .enterBackground($0, resumes: false)]
        }
        + numbers.flatMap {
            [
                .seek($0), .setRate($0), .setDefaultRate($0), .setVolume($0), .setSubtitleDelay($0),
                .load(Scenario.item, autoPlay: true, startPosition: $0),
            ]
        }

    static let bodies: [BackendEvent.Body] =
        [
            .tracksChanged(.none), .seekabilityChanged(true), .seekabilityChanged(false),
            .notice(PlaybackNotice(code: "test", message: "A test.")), .closed, .tracksChanged(Scenario.tracks),
            .audioSelected(id: 2), .audioSelected(id: 99), .audioSelected(id: nil), .subtitleSelected(id: 11),
            .subtitleSelected(id: 99), .subtitleSelected(id: nil), .videoSizeChanged(VideoSize(width: 1, height: 1)),
            .videoSizeChanged(nil), .metadataChanged(MediaMetadata(title: "Title")), .buffered(.whole),
            .buffered(.empty), .bufferedRangesChanged([8...9, -1...3, 2...40]), .dvrWindowChanged(nil),
            .interruptionBegan, .interruptionEnded(shouldResume: true),
            .interruptionEnded(shouldResume: false), .routeChanged(AudioRouteChange(.override, device: "speaker")),
            .routeChanged(AudioRouteChange(.oldDeviceUnavailable)), .addressRefused(.test),
            .statistics(PlaybackStatistics()), .markersChanged([StreamMarker(id: "1", kind: .cueOut, start: 5)]),
            .markersChanged([]),
        ]
        + numbers.flatMap { number -> [BackendEvent.Body] in
            [
                .opened(
                    OpenedMedia(
                        duration: number, isSeekable: number > 0, playbackType: .file, tracks: .none, position: number)),
                .durationChanged(number), .playing(position: number), .paused(position: number),
                .opened(
                    OpenedMedia(
                        duration: nil, isSeekable: true, playbackType: .live, tracks: Scenario.tracks, audio: 2,
                        subtitle: 12, dvrWindow: DVRWindow(start: number, end: 20), position: number)),
                .dvrWindowChanged(DVRWindow(start: number, end: 2 * number)),
                .buffered(BufferLevel(percentage: number)),
                .stalled(position: number), .time(position: number), .seeked(position: number),
                .seekFailed(position: number), .ended(position: number), .failed(.test, position: number),
            ]
        }

    @Test(arguments: situations)
    func everyInputIsDefined(situation: Situation) {
        for command in Self.commands {
            var story = situation.story
            story.command(command)
            #expect(story.snapshot.brokenRules.isEmpty, "\(situation.name), \(command)")
        }
        for body in Self.bodies {
            for generation in [situation.story.snapshot.generation, .none, situation.story.snapshot.generation.next] {
                var story = situation.story
                story.backend(body, generation: generation)
                #expect(story.snapshot.brokenRules.isEmpty, "\(situation.name), \(body)")
            }
        }
    }

    /// An engine of another time may not be heard, whatever it says.
    @Test(arguments: situations)
    func foreignGenerationsChangeNothing(situation: Situation) {
        for body in Self.bodies {
            var story = situation.story
            let before = story.snapshot
            let commands = story.backend(body, generation: before.generation.next)
            #expect(commands.isEmpty && story.snapshot == before, "\(situation.name), \(body)")
        }
    }

    /// Twenty thousand steps, or a million in the long form.
    static let seeds: ClosedRange<UInt64> =
        ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil ? 1...2 : 1...100

    @Test(arguments: seeds)
    func aRandomWalkBreaksNoRule(seed: UInt64) async {
        var random = Dice(seed: seed)
        var story = Scenario()
        var broken: [String] = []
        for step in 1...10_000 {
            await Fuzzing.giveWay(step)
            story.wait(Double.random(in: 0...0.5, using: &random))
            if step.isMultiple(of: 5) { story.command(.resolve(story.snapshot.generation, Scenario.item)) }
            let before = story.snapshot
            let positionBefore = before.playhead.position(at: story.now)
            if Bool.random(using: &random) {
                story.command(Self.commands.randomElement(using: &random)!)
            } else {
                story.backend(Self.bodies.randomElement(using: &random)!)
                let after = story.snapshot
                let isSameStretch =
                    before.generation == after.generation && before.isPlaying && after.isPlaying
                    && before.seek == after.seek && before.duration == after.duration
                if isSameStretch, after.playhead.position(at: story.now) < positionBefore {
                    broken.append("\(step): the position ran backwards")
                }
            }
            broken += story.snapshot.brokenRules.map { "\(step): \($0)" }
            if story.events.count > 1000 { story.events = [] }
        }
        #expect(broken.isEmpty, "\(broken.prefix(5))")
    }

    /// The rules can fail: a snapshot that breaks one says so.
    @Test func theRulesAreChecked() {
        let breaks: [(inout PlayerSnapshot) -> Void] = [
            { $0.item = nil }, { $0.error = .test }, { $0.phase = .ended }, { $0.wantsToPlay = false },
            { $0.phase = .opening }, { $0.position = -1 }, { $0.duration = 0 }, { $0.speed = 0 }, { $0.volume = 2 },
            { $0.speed = 3 }, { $0.defaultRate = 0 }, { $0.audio = 99 }, { $0.subtitle = 99 },
            { $0.item?.source = nil },
            { $0.interruptions = [.engine] }, { $0.holds = [.background] },
        ]
        var story = Scenario()
        story.load()
        #expect(story.snapshot.brokenRules.isEmpty)
        for (index, change) in breaks.enumerated() {
            var snapshot = story.snapshot
            change(&snapshot)
            #expect(!snapshot.brokenRules.isEmpty, "change \(index)")
        }
    }
}
