import Advertising
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport

/// A simulated user who gives random commands and replaces the player often.
@MainActor
final class SoakViewer {
    /// Counts of actions and observations, by name.
    private(set) var counts: [String: Int] = [:]
    /// Observations that must not occur.
    private(set) var complaints: [String] = []

    private var dice: Dice
    private let media: SoakMedia
    private let engines: SoakEngines
    /// The time between advertisements, in seconds; `nil` for none.
    private let adInterval: Double?
    private var lastAds: ContinuousClock.Instant?
    private let end: ContinuousClock.Instant

    init(
        seed: UInt64, media: SoakMedia, engines: SoakEngines, adInterval: Double?, until end: ContinuousClock.Instant
    ) {
        (dice, self.media, self.engines, self.end) = (Dice(seed: seed), media, engines, end)
        self.adInterval = adInterval
    }

    private var isOver: Bool { ContinuousClock.now >= end }

    func run() async {
        while !isOver {
            if Int.random(in: 0..<3, using: &dice) == 0 { await useQueue() } else { await useView() }
        }
    }

    // MARK: One item at a time

    /// A view with its player, for some media.
    private func useView() async {
        note("view")
        let view = FlowplayerView(avPlayer: MediaPlayer(backend: engines.backend()))
        guard let player = view.avPlayer else { return }
        view.videoOutput = .frames(SoakSink())
        view.autoPlay = true
        if adInterval != nil { view.attach(AdPlugin { [engines] in engines.backend() }) }
        let recorder = EventRecorder(player)
        defer {
            noteRestarts(recorder)
            noteAds(recorder)
        }
        for _ in 0..<Int.random(in: 1...4, using: &dice) where !isOver {
            let isGood = Int.random(in: 0..<3, using: &dice) > 0
            let first = recorder.events.count
            view.load(
                external: MediaExternal(url: isGood ? media.good(&dice) : media.bad(&dice), adSchedule: nextAds()))
            note(isGood ? "load" : "load with a fault")
            let begins = await recorder.event(within: .seconds(30)) { $0 == .state(.play) || $0 == .state(.failure) }
            let states = recorder.events.dropFirst(first)
            if isGood, !states.contains(.state(.play)) {
                complain("did not play", player, recorder)
            } else if !begins {
                complain("neither plays nor fails", player, recorder)
            }
            if states.contains(.state(.failure)) { note("failure") } else { await watch(view, player, recorder) }
        }
        if Bool.random(using: &dice) { view.stop() }
    }

    private func watch(_ view: FlowplayerView, _ player: MediaPlayer, _ recorder: EventRecorder) async {
        for _ in 0..<Int.random(in: 0...5, using: &dice) where !isOver {
            if view.snapshot.advertisement?.canSkip == true, Bool.random(using: &dice) { view.skipAd() }
            switch Int.random(in: 0..<7, using: &dice) {
            case 0:
                note("pause and play")
                view.pause()
                await pass(0.3)
                view.play()
            case 1, 2:
                note("seek")
                player.startSeek(to: Double.random(in: 0...7, using: &dice))
            case 3:
                note("background")
                player.enterBackground(
                    [.pause, .continueAudio, .continueVideo].randomElement(using: &dice)!, resumes: true)
                await pass(0.7)
                player.leaveBackground(resumes: true)
            case 4:
                note("rate")
                player.rate = [0.5, 1, 2].randomElement(using: &dice)!
            case 5:
                note("picture")
                view.videoOutput = Bool.random(using: &dice) ? .none : .frames(SoakSink())
            default:
                note("to the end")
                _ = await recorder.event(within: .seconds(12)) { $0 == .state(.complete) || $0 == .state(.failure) }
            }
            await pass(1)
        }
    }

    /// The advertisements of the next item; `nil` if those of an item before were shortly ago.
    private func nextAds() -> (any AdSchedule)? {
        guard let adInterval else { return nil }
        if let lastAds, ContinuousClock.now < lastAds + .seconds(adInterval) { return nil }
        lastAds = .now
        return media.ads(&dice)
    }

    // MARK: A queue

    private func useQueue() async {
        note("queue")
        let player = QueuePlayer(backend: engines.backend())
        let recorder = EventRecorder(player)
        defer { noteRestarts(recorder) }
        player.crossfade = Bool.random(using: &dice) ? 0.5 : 0
        player.load((0..<4).map { _ in PlayerItem(url: some()) }, autoPlay: true)
        for _ in 0..<Int.random(in: 1...6, using: &dice) where !isOver {
            _ = await recorder.event(within: .seconds(12)) { if case .item = $0 { true } else { false } }
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: player.advanceToNextItem()
            case 1: player.returnToPreviousItem()
            case 2: player.append([PlayerItem(url: some())])
            default: player.shuffle(seed: dice.next())
            }
            note("queue action")
        }
    }

    private func some() -> URL { Bool.random(using: &dice) ? media.good(&dice) : media.bad(&dice) }

    // MARK: Notes

    /// Up to so many seconds.
    private func pass(_ longest: Double) async {
        try? await Task.sleep(for: .seconds(Double.random(in: 0...longest, using: &dice)))
    }

    private func note(_ what: String) { counts[what, default: 0] += 1 }

    private func noteRestarts(_ recorder: EventRecorder) {
        for notice in recorder.notices where notice.code == "engineRestarted" {
            counts["restart", default: 0] += 1
            FileHandle.standardError.write(Data((notice.message + "\n").utf8))
        }
    }

    private func noteAds(_ recorder: EventRecorder) {
        for case .ad(let event) in recorder.events {
            switch event {
            case .state(.play, _): note("advertisement")
            case .failed: note("advertisement that fails")
            default: break
            }
        }
    }

    private func complain(_ what: String, _ player: MediaPlayer, _ recorder: EventRecorder) {
        complaints.append(
            "\(what): \(player.snapshot.item?.url?.absoluteString ?? "nothing"), \(recorder.states.suffix(6)), "
                + "\(recorder.errors.last?.code.name ?? "no error")")
    }
}

private final class SoakSink: VideoFrameSink {
    func receive(_ frame: VideoFrame) {}
}
