import Playback
import TestSupport
import Testing

@testable import Advertising

/// The rules of breaks inside a stream.
@Suite struct StreamAdMachineTests {
    private static let breaks = [
        StreamBreak(start: 10, end: 20, ads: [10, 15]), StreamBreak(start: 40, end: 50, ads: [40]),
    ]

    /// A machine with the two breaks, in a stream of 60 s.
    private func machine(isLive: Bool = false) -> StreamAdMachine {
        var machine = StreamAdMachine()
        let effects = machine.handle(.breaks(Self.breaks, duration: isLive ? nil : 60, isLive: isLive))
        #expect(effects == [.report(.loaded)])
        return machine
    }

    private func states(_ effects: [StreamAdMachine.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .report(let state): state.name
            case .show(let ad?):
                "\(ad.type) \(ad.number)/\(ad.count) \(ad.position.text)/\(ad.duration?.text ?? "?")"
            case .show(nil): "none"
            case .seek(let position): "seek \(position.text)"
            }
        }
    }

    private func play(_ machine: inout StreamAdMachine, _ position: Double) -> [String] {
        states(machine.handle(.position(position, isPlaying: true)))
    }

    @Test func eachAdvertisementStartsAndCompletes() {
        var machine = machine()
        #expect(play(&machine, 9.9) == [])
        #expect(machine.nextEdge == nil)
        #expect(play(&machine, 10.1) == ["adBreakStarted", "midRoll 1/2 0.1/5", "adStarted"])
        #expect(machine.nextEdge == 15)
        #expect(play(&machine, 12) == ["midRoll 1/2 2/5"])
        #expect(play(&machine, 15) == ["adCompleted", "midRoll 2/2 0/5", "adStarted"])
        #expect(play(&machine, 20) == ["adCompleted", "none", "adBreakEnded"])
        #expect(play(&machine, 21) == [])
        #expect(machine.unseen == [Self.breaks[1]])
        #expect(play(&machine, 12) == [], "A break that was seen is content.")
    }

    @Test func aBreakStartsOnlyWhilePlaying() {
        var machine = machine()
        _ = play(&machine, 5)
        #expect(machine.handle(.position(12, isPlaying: false)) == [])
        #expect(play(&machine, 12) == ["adBreakStarted", "midRoll 1/2 2/5", "adStarted"])
    }

    @Test func theFirstBreakIsShownBeforeTheItemStarts() {
        let breaks = [StreamBreak(start: 0, end: 6, ads: [0, 3])]
        var machine = StreamAdMachine()
        _ = machine.handle(.breaks(breaks, duration: 60, isLive: false))
        #expect(states(machine.handle(.position(0, isPlaying: false))) == ["preRoll 1/2 0/3"])
        #expect(machine.nextEdge == nil && machine.handle(.wanted(false)) == [] && machine.handle(.skipped) == [])
        #expect(play(&machine, 0.1) == ["adBreakStarted", "preRoll 1/2 0.1/3", "adStarted"])

        var other = StreamAdMachine()
        _ = other.handle(.breaks(breaks, duration: 60, isLive: false))
        _ = other.handle(.position(0, isPlaying: false))
        #expect(states(other.handle(.position(7, isPlaying: false))) == ["none"], "The item starts elsewhere.")
        _ = other.handle(.position(0, isPlaying: false))
        #expect(states(other.handle(.closed)) == ["none", "idle"])
    }

    @Test func pausesAreReportedOnce() {
        var machine = machine()
        #expect(machine.handle(.wanted(false)) == [])
        _ = play(&machine, 11)
        #expect(machine.handle(.wanted(true)) == [])
        #expect(states(machine.handle(.wanted(false)) + machine.handle(.wanted(false))) == ["adPaused"])
        #expect(states(machine.handle(.wanted(true))) == ["adResumed"])
    }

    // MARK: Skipping

    @Test func aSkippedAdvertisementIsNotComplete() {
        var machine = machine()
        #expect(machine.handle(.skipped) == [])
        _ = play(&machine, 11)
        #expect(states(machine.handle(.skipped) + machine.handle(.skipped)) == ["adSkipped", "seek 15"])
        #expect(machine.handle(.seekFailed) == [])
        #expect(states(machine.handle(.skipped)) == ["adSkipped", "seek 15"], "The viewer may try again.")
        #expect(machine.target(of: 15, from: 11) == 15)
        #expect(play(&machine, 15) == ["midRoll 2/2 0/5", "adStarted"])
        #expect(states(machine.handle(.skipped)) == ["adSkipped", "seek 20"])
        #expect(machine.target(of: 20, from: 16) == 20)
        #expect(play(&machine, 20) == ["none", "adBreakEnded"])
        #expect(machine.unseen == [Self.breaks[1]])
    }

    @Test func aSkipWhilePausedStartsTheNextAdvertisementLater() {
        var machine = machine()
        _ = play(&machine, 11)
        _ = machine.handle(.wanted(false))
        #expect(states(machine.handle(.skipped)) == ["adSkipped", "seek 15"])
        #expect(machine.handle(.position(15, isPlaying: false)) == [])
        #expect(machine.handle(.wanted(true)) == [])
        #expect(play(&machine, 15.1) == ["midRoll 2/2 0.1/5", "adStarted"])
    }

    @Test func aSeekDuringASkipWaitsForTheEndOfTheBreak() {
        var machine = machine()
        _ = play(&machine, 11)
        _ = machine.handle(.skipped)
        #expect(machine.target(of: 30, from: 15) == 15)
        _ = play(&machine, 15)
        #expect(play(&machine, 20).last == "seek 30")
    }

    @Test func aLiveStreamIsNotSkipped() {
        var machine = machine(isLive: true)
        _ = play(&machine, 11)
        #expect(machine.handle(.skipped) == [])
    }

    // MARK: Seeking

    @Test func aSeekOverABreakPlaysItFirst() {
        var machine = machine()
        _ = play(&machine, 5)
        #expect(machine.target(of: 30, from: 5) == 10)
        #expect(play(&machine, 10) == ["adBreakStarted", "midRoll 1/2 0/5", "adStarted"])
        _ = play(&machine, 15)
        #expect(play(&machine, 20) == ["adCompleted", "none", "adBreakEnded", "seek 30"])
        #expect(machine.target(of: 30, from: 20) == 30)
    }

    @Test func aSeekOverSeveralBreaksPlaysTheLast() {
        var machine = machine()
        #expect(machine.target(of: 55, from: 5) == 40)
        _ = play(&machine, 40)
        #expect(play(&machine, 50).last == "seek 55")
        #expect(machine.unseen == [Self.breaks[0]])
    }

    @Test func aSeekIntoABreakPlaysItFromItsStart() {
        var machine = machine()
        #expect(machine.target(of: 17, from: 5) == 10)
        _ = play(&machine, 10)
        _ = play(&machine, 16)
        #expect(play(&machine, 20) == ["adCompleted", "none", "adBreakEnded"])
        #expect(machine.target(of: 45, from: 55) == 40, "Backwards too.")
    }

    @Test func draggingSnapsBackToo() {
        var machine = machine()
        #expect([12, 25, 30].map { machine.target(of: $0, from: 10) } == [10, 10, 10])
        #expect(machine.target(of: 45, from: 10) == 40, "Over the next break.")
        #expect(machine.target(of: 8, from: 40) == 8, "Back to where the drag began.")
        #expect(machine.target(of: 30, from: 8) == 10)
        _ = play(&machine, 10)
        _ = play(&machine, 16)
        #expect(play(&machine, 20).last == "seek 30")
    }

    @Test func aSeekElsewhereForgetsTheRequest() {
        var machine = machine()
        #expect(machine.target(of: 30, from: 5) == 10)
        // The seek has failed.
        #expect(play(&machine, 6) == [])
        _ = play(&machine, 10)
        _ = play(&machine, 16)
        #expect(play(&machine, 20).last == "adBreakEnded")
    }

    @Test func aSeekInABreakWaitsForItsEnd() {
        var machine = machine()
        _ = play(&machine, 12)
        #expect(machine.target(of: 18, from: 12) == 12)
        #expect(machine.target(of: 30, from: 12) == 12)
        _ = play(&machine, 16)
        #expect(play(&machine, 20).last == "seek 30")
    }

    @Test func aSeekToBeforeTheBreakLeavesIt() {
        var machine = machine()
        _ = play(&machine, 12)
        #expect(machine.target(of: 3, from: 12) == 3)
        #expect(states(machine.handle(.position(3, isPlaying: false))) == ["none", "adBreakEnded"])
        #expect(machine.unseen.count == 2)
        #expect(play(&machine, 10).first == "adBreakStarted")
    }

    @Test func breaksBeforeTheStartDoNotPlay() {
        var machine = machine()
        #expect(play(&machine, 30) == [])
        #expect(machine.target(of: 35, from: 30) == 35)
        #expect(machine.target(of: 5, from: 30) == 5)
        #expect(play(&machine, 10).first == "adBreakStarted", "The viewer comes to it.")
    }

    @Test func seeksInALiveStreamAreFree() {
        var machine = machine(isLive: true)
        #expect(machine.target(of: 55, from: 5) == 55)
        _ = play(&machine, 12)
        #expect(machine.target(of: 55, from: 12) == 55)
        #expect(play(&machine, 55) == ["adCompleted", "none", "adBreakEnded"])
    }

    // MARK: Changes

    @Test func theEndOfABreakMayComeLater() {
        var machine = StreamAdMachine()
        _ = machine.handle(.breaks([StreamBreak(start: 10, end: nil, ads: [10])], duration: nil, isLive: true))
        #expect(play(&machine, 10) == ["adBreakStarted", "midRoll 1/1 0/?", "adStarted"])
        let later = StreamBreak(start: 10.2, end: 18, ads: [10.2, 14])
        #expect(machine.handle(.breaks([later], duration: nil, isLive: true)) == [])
        #expect(play(&machine, 15) == ["adCompleted", "midRoll 2/2 1/4", "adStarted"])
        #expect(play(&machine, 18) == ["adCompleted", "none", "adBreakEnded"])
        // The break has left the playlist.
        #expect(machine.handle(.breaks([], duration: nil, isLive: true)) == [])
    }

    @Test func aBreakWithoutAnEndIsIgnoredInAStreamWithAnEnd() {
        var machine = StreamAdMachine()
        #expect(
            machine.handle(.breaks([StreamBreak(start: 10, end: nil, ads: [10])], duration: 60, isLive: false)) == [])
        #expect(play(&machine, 12) == [] && machine.unseen == [])
    }

    @Test func theBreakAtTheEndOfAStreamEndsWithIt() {
        var machine = StreamAdMachine()
        _ = machine.handle(.breaks([StreamBreak(start: 50, end: 60, ads: [50])], duration: 60, isLive: false))
        #expect(machine.target(of: 60, from: 5) == 50)
        #expect(play(&machine, 50) == ["adBreakStarted", "postRoll 1/1 0/10", "adStarted"])
        #expect(states(machine.handle(.ended)) == ["adCompleted", "none", "adBreakEnded"])
    }

    @Test func aFailureLeavesTheBreakAndTheNextOpeningPlaysIt() {
        var machine = machine()
        _ = play(&machine, 12)
        #expect(states(machine.handle(.failed)) == ["none", "adBreakEnded"])
        #expect(play(&machine, 12).first == "adBreakStarted")
        #expect(states(machine.handle(.closed)) == ["none", "adBreakEnded", "idle"])
        #expect(machine.handle(.closed) == [])
    }

    /// Each state can follow the one before, and an advertisement is shown exactly in a break, after any input.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func randomWalksKeepTheOrder(seed: UInt64) async {
        var (dice, machine, last, isShown) = (Dice(seed: seed), StreamAdMachine(), DAIStateStream.idle, false)
        var position = 0.0
        for step in 0..<Fuzzing.count(short: 2500) {
            await Fuzzing.giveWay(step)
            let input: StreamAdMachine.Input
            switch Int.random(in: 0..<20, using: &dice) {
            case 0: input = .wanted(.random(using: &dice))
            case 1: input = .loaded
            case 2:
                input =
                    [.skipped, .skipped, .seekFailed, .ended, .failed, .closed].randomElement(using: &dice) ?? .closed
            case 3:
                let count = Int.random(in: 0...3, using: &dice)
                let breaks = (0..<count).map { index in
                    let start = Double(index * 20) + .random(in: 0...9, using: &dice)
                    let end = Bool.random(using: &dice) ? start + .random(in: 1...9, using: &dice) : nil
                    return StreamBreak(start: start, end: end, ads: [start, start + 2])
                }
                input = .breaks(breaks, duration: 60, isLive: .random(using: &dice))
            case 4:
                let requested = Double.random(in: 0...60, using: &dice)
                let target = machine.target(of: requested, from: position)
                #expect(target.isFinite)
                position = target
                continue
            default:
                position = min(60, position + .random(in: 0...1, using: &dice))
                input = .position(position, isPlaying: .random(using: &dice))
            }
            for effect in machine.handle(input) {
                switch effect {
                case .report(let state):
                    #expect(last.successors.contains(state), "\(state) follows \(last) at step \(step)")
                    if state == .adStarted { #expect(isShown) }
                    if state == .adBreakEnded { #expect(!isShown) }
                    last = state
                case .show(let ad):
                    isShown = ad != nil
                    #expect(ad.map { $0.position >= 0 && $0.number <= $0.count && $0.duration ?? 1 > 0 } ?? true)
                case .seek(let target): position = machine.target(of: target, from: position)
                }
            }
        }
    }
}
