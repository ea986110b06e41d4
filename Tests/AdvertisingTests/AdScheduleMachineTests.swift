import Foundation
import TestSupport
import Testing

@testable import Advertising

struct AdScheduleMachineTests {
    private typealias Machine = AdScheduleMachine

    private func plan(_ position: AdBreakPlan.Position, every: Double? = nil) -> AdBreakPlan {
        var plan = AdBreakPlan(position: position, sources: [.address("http://ads.test")])
        plan.repeatsAfter = every
        return plan
    }

    private func slot(_ plan: Int, _ repetition: Int = 0) -> Machine.Slot { .init(plan: plan, repetition: repetition) }

    /// A machine whose item plays.
    private func playing(_ plans: [AdBreakPlan], duration: Double? = 100, isLive: Bool = false) -> Machine {
        var machine = Machine()
        _ = machine.handle(.item(duration: duration, isLive: isLive))
        _ = machine.handle(.planned(plans))
        _ = machine.handle(.wanted)
        return machine
    }

    @Test
    func theBreakAtTheStartHoldsTheItem() {
        var machine = Machine()
        #expect(machine.handle(.planned([plan(.start)])) == [.prepare(slot(0))])
        #expect(machine.handle(.position(1)) == [])
        #expect(machine.handle(.wanted) == [.begin(slot(0))])
        #expect(machine.handle(.breakEnded) == [.releaseContent])
        #expect(machine.handle(.wanted) == [])
    }

    @Test
    func withoutBreaksTheItemPlaysAtOnce() {
        var machine = Machine()
        #expect(machine.handle(.planned([])) == [.releaseContent])
    }

    @Test
    func aBreakPlaysOnce() {
        var machine = playing([plan(.time(.seconds(10)))])
        #expect(machine.handle(.position(1)) == [])
        #expect(machine.handle(.position(2.5)) == [.prepare(slot(0))])
        #expect(machine.handle(.position(9.9)) == [])
        #expect(machine.handle(.position(10.1)) == [.begin(slot(0))])
        #expect(machine.handle(.position(10.2)) == [])
        #expect(machine.handle(.breakEnded) == [.releaseContent])
        #expect(machine.handle(.seek(5)) == [])
        #expect(machine.handle(.position(11)) == [])
    }

    /// The viewer resumes while the advertisement before the item plays.
    @Test
    func aSeekDuringABreakPassesTheBreaksOnTheWay() {
        let plans = [plan(.start), plan(.time(.seconds(10))), plan(.time(.seconds(20)))]
        var machine = playing(plans)
        #expect(machine.handle(.seek(15)) == [])
        #expect(machine.handle(.breakEnded) == [.releaseContent, .prepare(slot(2))])
        #expect(machine.handle(.position(15)) == [])
        #expect(machine.handle(.position(20)) == [.begin(slot(2))])
        #expect(machine.handle(.seek(5)) == [])
        #expect(machine.handle(.breakEnded) == [.releaseContent, .prepare(slot(1))])
        #expect(machine.handle(.position(10)) == [.begin(slot(1))])
    }

    @Test
    func ofTheBreaksThatASeekPassesTheLastOnePlays() {
        var machine = playing([plan(.time(.seconds(10))), plan(.time(.seconds(20))), plan(.time(.seconds(90)))])
        #expect(machine.handle(.seek(50)) == [.prepare(slot(1)), .begin(slot(1))])
        #expect(machine.handle(.breakEnded) == [.releaseContent])
        #expect(machine.handle(.position(51)) == [])
        // Back: the first one was never seen.
        #expect(machine.handle(.seek(5)) == [.prepare(slot(0))])
        #expect(machine.handle(.position(10)) == [.begin(slot(0))])
    }

    @Test
    func breaksAtTheSamePositionFollowEachOther() {
        var machine = playing([plan(.time(.seconds(20))), plan(.time(.seconds(10))), plan(.time(.fraction(0.2)))])
        #expect(machine.handle(.seek(50)) == [.prepare(slot(0)), .begin(slot(0)), .prepare(slot(2))])
        #expect(machine.handle(.breakEnded) == [.begin(slot(2))])
        #expect(machine.handle(.breakEnded) == [.releaseContent])
    }

    /// The item is tried again, and has its other breaks.
    @Test
    func aFailureEndsTheBreakThatPlays() {
        var machine = playing([plan(.time(.seconds(10))), plan(.time(.seconds(20)))])
        _ = machine.handle(.position(10))
        #expect(machine.handle(.failed) == [.releaseContent])
        #expect(machine.handle(.breakEnded) == [] && machine.handle(.position(11)) == [])
        #expect(machine.handle(.position(20)).last == .begin(slot(1)))
        var start = playing([plan(.start), plan(.start)])
        #expect(start.handle(.failed) == [])
        var planning = Machine()
        _ = planning.handle(.wanted)
        #expect(planning.handle(.failed) == [])
        #expect(planning.handle(.planned([plan(.start)])) == [.prepare(slot(0))], "Nobody waits for it.")
        #expect(planning.handle(.wanted) == [.begin(slot(0))])
        #expect(start.handle(.wanted) == [.begin(slot(1))])
    }

    @Test
    func aFractionNeedsTheDuration() {
        var machine = playing([plan(.time(.fraction(0.5)))], duration: nil)
        #expect(machine.handle(.position(60)) == [])
        #expect(machine.markers == [])
        _ = machine.handle(.item(duration: 200, isLive: false))
        #expect(machine.markers == [100])
        #expect(machine.handle(.position(100)) == [.prepare(slot(0)), .begin(slot(0))])
    }

    @Test
    func aBreakRepeats() {
        var machine = playing([plan(.time(.seconds(10)), every: 30)])
        for (position, repetition) in [(10.0, 0), (40, 1), (70, 2)] {
            #expect(machine.handle(.position(position)).last == .begin(slot(0, repetition)))
            #expect(machine.handle(.breakEnded).first == .releaseContent)
        }
        #expect(machine.markers == [10, 40, 70, 100])
    }

    @Test
    func theBreakAtTheEndPlaysBeforeTheEnd() {
        var machine = playing([plan(.end), plan(.end)])
        #expect(machine.handle(.position(95)) == [.prepare(slot(0))])
        #expect(machine.handle(.ended) == [.begin(slot(0)), .prepare(slot(1))])
        #expect(machine.handle(.breakEnded) == [.begin(slot(1))])
        #expect(machine.handle(.breakEnded) == [.releaseContent])
        #expect(machine.handle(.restarted(at: 0)) == [])
        #expect(machine.handle(.position(99)) == [])
        #expect(machine.handle(.ended) == [.releaseContent])
    }

    /// After the end of an item, the viewer continues elsewhere.
    @Test
    func anItemThatIsPlayedAgainPlaysTheBreaksAfterItsPosition() {
        var machine = playing([plan(.time(.seconds(10))), plan(.time(.seconds(50)))])
        #expect(machine.handle(.seek(60)).last == .begin(slot(1)))
        _ = machine.handle(.breakEnded)
        #expect(machine.handle(.ended) == [.releaseContent])
        #expect(machine.handle(.restarted(at: 60)) == [])
        #expect(machine.handle(.position(60.2)) == [], "The first break lies before.")
        _ = machine.handle(.ended)
        _ = machine.handle(.restarted(at: 0))
        #expect(machine.handle(.position(10.1)).last == .begin(slot(0)))
    }

    @Test
    func aBreakThatWasClosedIsPreparedAgain() {
        var machine = playing([plan(.time(.seconds(10))), plan(.time(.seconds(50)))])
        #expect(machine.handle(.position(5)) == [.prepare(slot(0))])
        #expect(machine.handle(.seek(60)) == [.prepare(slot(1)), .begin(slot(1))])
        #expect(machine.handle(.closed(slot(0))) == [])
        _ = machine.handle(.breakEnded)
        #expect(machine.handle(.seek(4)) == [.prepare(slot(0))])
        #expect(machine.handle(.position(10.1)) == [.begin(slot(0))])
    }

    /// Another break would close the one that is open already.
    @Test
    func onlyTheNextBreakIsPrepared() {
        var machine = playing([plan(.end), plan(.time(.seconds(96)))])
        #expect(machine.handle(.position(95)) == [.prepare(slot(1))])
        #expect(machine.handle(.position(96)) == [.begin(slot(1))])
        #expect(machine.handle(.breakEnded) == [.releaseContent, .prepare(slot(0))])
    }

    @Test(arguments: [VASTOffset.seconds(0), .fraction(0)])
    func aBreakAtZeroPlaysBeforeTheItem(offset: VASTOffset) {
        var machine = Machine()
        #expect(machine.handle(.planned([plan(.time(offset))])) == [.prepare(slot(0))])
        #expect(machine.handle(.wanted) == [.begin(slot(0))])
        #expect(machine.handle(.breakEnded) == [.releaseContent])
        _ = machine.handle(.item(duration: 100, isLive: false))
        #expect(machine.handle(.position(0.2)) == [] && machine.markers == [])
        #expect(plan(.time(offset)).type == .preRoll && plan(.time(.fraction(1))).type == .postRoll)
    }

    @Test(arguments: [VASTOffset.seconds(99.9), .fraction(1)])
    func aBreakAfterTheLastPositionPlaysAtTheEnd(offset: VASTOffset) {
        var machine = playing([plan(.end), plan(.time(offset))])
        #expect(machine.handle(.position(99.5)) == [.prepare(slot(1))])
        #expect(machine.playsBreakAtEnd)
        #expect(machine.handle(.ended) == [.begin(slot(1)), .prepare(slot(0))])
        #expect(machine.handle(.breakEnded) == [.begin(slot(0))])
        #expect(machine.handle(.breakEnded) == [.releaseContent])
    }

    @Test
    func aLiveStreamHasNoEndAndNoFractions() {
        var machine = playing([plan(.time(.fraction(0.5))), plan(.end), plan(.time(.seconds(30)))], isLive: true)
        #expect(machine.handle(.position(3600)) == [] && machine.markers == [3630])
        #expect(machine.handle(.position(3629)) == [.prepare(slot(2))])
        #expect(machine.handle(.position(3630)) == [.begin(slot(2))])
        #expect(machine.handle(.breakEnded) == [.releaseContent])
        #expect(machine.handle(.ended) == [.releaseContent])
    }

    /// The positions of a live stream may count from another time when it is opened again.
    @Test
    func aLiveStreamThatFailsIsJoinedAgain() {
        var machine = playing([plan(.time(.seconds(30)))], isLive: true)
        _ = machine.handle(.position(3600))
        #expect(machine.markers == [3630])
        #expect(machine.handle(.failed) == [] && machine.handle(.wanted) == [])
        #expect(machine.handle(.position(7)) == [] && machine.markers == [37])
        #expect(machine.handle(.position(37)).last == .begin(slot(0)))
    }

    @Test
    func afterASeekInTheBreakAtTheEndTheItemHasItsOtherBreaks() {
        var machine = Machine(startPosition: 50)
        _ = machine.handle(.item(duration: 100, isLive: false))
        _ = machine.handle(.planned([plan(.end), plan(.time(.seconds(30)))]))
        _ = machine.handle(.position(99))
        #expect(machine.handle(.ended) == [.begin(slot(0))])
        #expect(machine.handle(.seek(10)) == [])
        #expect(machine.handle(.breakEnded) == [.releaseContent])
        #expect(machine.handle(.position(30)) == [.prepare(slot(1)), .begin(slot(1))])
        #expect(machine.handle(.breakEnded) == [.releaseContent])
        #expect(machine.handle(.ended) == [.releaseContent])
    }

    @Test
    func breaksBeforeTheStartPositionDoNotPlay() {
        var machine = Machine(startPosition: 50)
        #expect(machine.handle(.planned([plan(.start), plan(.time(.seconds(10)))])) == [.prepare(slot(0))])
        #expect(machine.handle(.wanted) == [.begin(slot(0))])
        #expect(machine.handle(.breakEnded) == [.releaseContent])
        #expect(machine.handle(.position(51)) == [])
    }

    /// A machine in each state.
    private func everyState(_ plans: [AdBreakPlan]) -> [Machine] {
        var beforeStart = Machine()
        _ = beforeStart.handle(.planned(plans))
        let inFirstBreak = playing(plans)
        var content = inFirstBreak
        _ = content.handle(.breakEnded)
        var inBreak = content
        _ = inBreak.handle(.position(10))
        var afterEnd = content
        _ = afterEnd.handle(.ended)
        var over = afterEnd
        _ = over.handle(.breakEnded)
        return [Machine(), beforeStart, inFirstBreak, content, inBreak, afterEnd, over]
    }

    /// Each state takes each input, and so does each state that two inputs lead to.
    @Test
    func everyStateTakesEveryInput() {
        let plans = [plan(.start), plan(.time(.seconds(10)), every: 20), plan(.time(.fraction(0.5))), plan(.end)]
        #expect(
            everyState(plans).map(\.state) == [
                .planning, .beforeStart, .inBreak(slot(0), .start), .content, .inBreak(slot(1), .middle),
                .inBreak(slot(3), .end), .over,
            ])
        let inputs: [Machine.Input] = [
            .planned(plans), .planned([]), .wanted, .item(duration: 100, isLive: false),
            .item(duration: nil, isLive: true), .position(10), .position(99), .position(.nan), .position(-1), .seek(60),
            .seek(0), .seek(.infinity), .ended, .breakEnded, .failed, .restarted(at: 0),
            .closed(.init(plan: 0, repetition: 0)),
        ]
        var reached = Set(everyState(plans))
        var newest = reached
        for _ in 0..<3 {
            var found: Set<Machine> = []
            for machine in newest {
                for input in inputs {
                    var next = machine
                    check(next.handle(input), from: machine, to: next)
                    found.insert(next)
                }
            }
            newest = found.subtracting(reached)
            reached.formUnion(found)
        }
        #expect(reached.count > 100)
    }

    @Test
    func aLongWalkKeepsTheRules() async {
        let plans = [
            plan(.start), plan(.time(.seconds(10)), every: 20), plan(.time(.fraction(0.5))), plan(.end),
            plan(.time(.fraction(0.5))),
        ]
        for walk in 0..<4 {
            var dice = Dice(seed: UInt64(walk))
            var machine = Machine(startPosition: Double.random(in: 0...50, using: &dice))
            for number in 0..<Fuzzing.count(short: 2500) {
                let before = machine
                let place = Double.random(in: 0...120, using: &dice)
                let input: Machine.Input =
                    switch Int.random(in: 0...22, using: &dice) {
                    case 0: .planned(plans)
                    case 1: .wanted
                    case 2: .item(duration: Bool.random(using: &dice) ? 100 : nil, isLive: Bool.random(using: &dice))
                    case 3...9: .position(machine.position + Double.random(in: 0...3, using: &dice))
                    case 10...13: .seek(place)
                    case 14: .ended
                    case 15...19: .breakEnded
                    case 20: .failed
                    case 21: .closed(machine.prepared.randomElement(using: &dice) ?? slot(0))
                    default: .restarted(at: place)
                    }
                check(machine.handle(input), from: before, to: machine)
                if machine.seen.count > 20 { machine = Machine() }
                await Fuzzing.giveWay(number)
            }
        }
    }

    /// The break that plays.
    private func slot(of machine: Machine) -> Machine.Slot? {
        if case .inBreak(let slot, _) = machine.state { slot } else { nil }
    }

    /// The rules that each step keeps.
    private func check(_ effects: [Machine.Effect], from old: Machine, to new: Machine) {
        var begun: [Machine.Slot] = []
        for effect in effects {
            switch effect {
            case .begin(let slot):
                begun.append(slot)
                #expect(!old.seen.contains(slot), "A break plays once.")
                #expect(new.prepared.contains(slot))
            case .prepare(let slot): #expect(!old.prepared.contains(slot), "A break is prepared once.")
            case .releaseContent: #expect(new.state == .content || new.state == .over)
            }
        }
        #expect(begun.count <= 1)
        if let current = slot(of: new), current != slot(of: old) { #expect(begun == [current]) }
        #expect(old.seen.isSubset(of: new.seen), "A break that was seen stays seen.")
    }
}
