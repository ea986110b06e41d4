import Foundation
import Playback
import TestSupport
import Testing

@testable import Advertising

/// The breaks that marks describe.
@Suite struct StreamBreakTests {
    private func cue(_ kind: StreamMarker.Kind, _ start: Double, _ duration: Double? = nil) -> StreamMarker {
        StreamMarker(id: "\(kind) \(start)", kind: kind, start: start, duration: duration)
    }

    private func range(
        _ start: Double, _ duration: Double? = nil, _ name: String, _ section: SpliceSection? = nil
    ) -> StreamMarker {
        StreamMarker(
            id: "range \(start)", kind: .dateRange, start: start, duration: duration, attributes: [name: "0x"],
            message: section?.data)
    }

    private func event(_ start: Double, _ section: SpliceSection) -> StreamMarker {
        StreamMarker(id: "event \(start)", kind: .event, start: start, message: section.data)
    }

    private func signal(_ type: UInt8, _ duration: Double? = nil, id: UInt32 = 1) -> SpliceSection {
        SpliceSection(.timeSignal, [.init(id: id, type: type, duration: duration)])
    }

    @Test func cuesAreABreak() {
        #expect(StreamBreak.breaks([cue(.cueOut, 10, 30)]) == [.init(start: 10, end: 40, ads: [10])])
        #expect(StreamBreak.breaks([cue(.cueOut, 10)]) == [.init(start: 10, end: nil, ads: [10])])
        let early = [cue(.cueOut, 10, 30), cue(.cueIn, 35), cue(.cueOut, 100, 20), cue(.cueIn, 125)]
        #expect(StreamBreak.breaks(early).map(\.end) == [35, 125], "The actual end counts.")
        let lost = [cue(.cueOut, 10, 30), cue(.cueOut, 100, 20), cue(.cueIn, 120)]
        #expect(StreamBreak.breaks(lost).map(\.end) == [40, 120])
        #expect(StreamBreak.breaks([cue(.cueIn, 5), cue(.cueOut, 10, 0)]) == [.init(start: 10, end: nil, ads: [10])])
    }

    @Test func cuesThatFollowEachOtherAreThePartsOfABreak() {
        let pod = [cue(.cueOut, 10, 15), cue(.cueOut, 25.5, 14.5), cue(.cueIn, 40)]
        let breaks = StreamBreak.breaks(pod + [cue(.cueOut, 60, 5)])
        #expect(breaks == [.init(start: 10, end: 40, ads: [10, 25.5]), .init(start: 60, end: 65, ads: [60])])
    }

    @Test func aDateRangeOfABreakHasItsDuration() {
        let message = SpliceSection(.insert(id: 1, isOut: true, duration: 25))
        #expect(StreamBreak.breaks([range(10, 30, "SCTE35-OUT", message)]).map(\.end) == [40])
        #expect(StreamBreak.breaks([range(10, nil, "SCTE35-OUT", message)]).map(\.end) == [35])
        #expect(StreamBreak.breaks([range(10, nil, "SCTE35-OUT", signal(0x34, 20))]).map(\.end) == [30])
        #expect(StreamBreak.breaks([range(10, nil, "SCTE35-OUT")]).map(\.end) == [nil], "A damaged message")
    }

    @Test func messagesStartAndEndBreaks() {
        let start = SpliceSection(.insert(id: 7, isOut: true, duration: 30))
        let end = SpliceSection(.insert(id: 7, isOut: false))
        #expect(StreamBreak.breaks([range(10, nil, "SCTE35-CMD", start)]).map(\.end) == [40])
        #expect(StreamBreak.breaks([event(10, start), event(28, end)]).map(\.end) == [28])
        let other = SpliceSection(.insert(id: 8, isOut: false))
        #expect(StreamBreak.breaks([event(10, start), event(28, other)]).map(\.end) == [40])
        let cancelled = SpliceSection(.insert(id: 7, isCancelled: true))
        #expect(StreamBreak.breaks([event(10, cancelled)]) == [])
        #expect(StreamBreak.breaks([event(8, cancelled), event(10, start)]) == [])
        #expect(StreamBreak.breaks([event(12, cancelled), event(10, start)]).map(\.end) == [40], "It has begun.")
        #expect(
            StreamBreak.breaks([
                event(8, cancelled), event(10, SpliceSection(.insert(id: 8, isOut: true, duration: 5))),
            ]).count == 1)
    }

    @Test(arguments: [0x22, 0x30, 0x32, 0x34, 0x36, 0x44, 0x46] as [UInt8])
    func segmentationsStartAndEndParts(type: UInt8) {
        #expect(
            StreamBreak.breaks([event(10, signal(type)), event(20, signal(type + 1))])
                == [.init(start: 10, end: 20, ads: [10])])
    }

    @Test(arguments: [0x01, 0x10, 0x20, 0x38, 0x40, 0x50] as [UInt8])
    func segmentationsOfContentAreNoBreaks(type: UInt8) {
        #expect(StreamBreak.breaks([event(10, signal(type, 30))]) == [])
    }

    @Test func advertisementsAreThePartsOfTheirBreak() {
        let markers = [
            cue(.cueOut, 10, 45), event(10, signal(0x30, 15, id: 1)), event(25, signal(0x30, 15, id: 2)),
            event(40, signal(0x30, 15, id: 3)), cue(.cueIn, 55),
        ]
        #expect(StreamBreak.breaks(markers) == [.init(start: 10, end: 55, ads: [10, 25, 40])])
        #expect(StreamBreak.breaks(markers.reversed()) == StreamBreak.breaks(markers))
    }

    @Test func aPartOfUnknownLengthIsInItsBreakOrContinuesIt() {
        let inside = [cue(.cueOut, 10, 30), event(20, signal(0x30))]
        #expect(StreamBreak.breaks(inside) == [.init(start: 10, end: 40, ads: [10, 20])])
        let behind = [cue(.cueOut, 10, 30), event(40, signal(0x30))]
        #expect(StreamBreak.breaks(behind) == [.init(start: 10, end: nil, ads: [10, 40])])
    }

    @Test func otherMarksAreNoBreaks() {
        let interstitial = StreamMarker(
            id: "a", kind: .dateRange, start: 10, duration: 15, attributes: ["CLASS": "com.apple.hls.interstitial"])
        let text = StreamMarker(id: "b", kind: .event, start: 10, duration: 15, message: Data("hello".utf8))
        #expect(StreamBreak.breaks([interstitial, text, range(10, 30, "X-A")]) == [])
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func anyMarksAreBreaksInOrder(seed: UInt64) async {
        var dice = Dice(seed: seed)
        var found = 0
        for number in 0..<Fuzzing.count(short: 125) {
            await Fuzzing.giveWay(number)
            let markers = (0..<Int.random(in: 0...12, using: &dice)).map { _ in marker(&dice) }
            let breaks = StreamBreak.breaks(markers)
            found += breaks.count
            for one in breaks {
                #expect(one.ads.first == one.start && one.ads == one.ads.sorted(), "\(markers)")
                #expect(one.end.map { $0 > one.start && $0 > one.ads.last ?? 0 } ?? true, "\(markers)")
            }
            for (one, next) in zip(breaks, breaks.dropFirst()) {
                #expect(one.start < next.start && one.end ?? one.start < next.start, "\(markers)")
            }
        }
        #expect(found > 125)
    }

    private func marker(_ dice: inout Dice) -> StreamMarker {
        let start = Double.random(in: -50...100, using: &dice).rounded()
        let duration = Bool.random(using: &dice) ? Double.random(in: 0...20, using: &dice) : nil
        let id = UInt32.random(in: 0...2, using: &dice)
        switch Int.random(in: 0...4, using: &dice) {
        case 0: return cue(.cueOut, start, duration)
        case 1: return cue(.cueIn, start)
        case 2: return range(start, duration, "SCTE35-OUT")
        case 3: return event(start, SpliceSection(.insert(id: id, isOut: .random(using: &dice), duration: duration)))
        default: return event(start, signal(.random(in: 0x2E...0x38, using: &dice), duration, id: id))
        }
    }

    @Test func hostileMarksHaveBoundedBreaks() {
        let pods = (0..<500).map { cue(.cueOut, Double($0) * 2, 2) }
        let breaks = StreamBreak.breaks(pods)
        #expect(breaks.count == 1 && breaks[0].ads.count == 100 && breaks[0].end == 1000)
        let open = StreamBreak.breaks([cue(.cueOut, 0), cue(.cueOut, 700, 10)])
        #expect(open.count == 2 && open[0].contains(599) && !open[0].contains(600))
        let many = SpliceSection(.timeSignal, (0..<40).map { .init(id: $0, type: 0x30, duration: 1) })
        #expect(StreamBreak.breaks((0..<500).map { event(Double($0) * 5, many) }).count <= 500)
    }
}
