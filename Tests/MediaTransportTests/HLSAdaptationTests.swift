import Foundation
import Testing

@testable import MediaTransport

/// The segments that a session keeps to choose their variants.
@Suite struct HLSAdaptationTests {
    private let variant = URL(string: "https://host/v.m3u8")!

    private func part(_ name: String) -> HLSSegment.Part { HLSSegment.Part(url: variant.appending(path: name)) }

    private func segment(_ number: Int, map: String) -> HLSSegment {
        HLSSegment(number: number, part: part("\(number).m4s"), map: part(map), duration: 2)
    }

    /// Those of a live stream with many discontinuities would fill the memory.
    @Test func initializationsThatNoSegmentNeedsAreDropped() {
        var adaptation = HLSAdaptation([])
        adaptation.note([segment(1, map: "a.mp4"), segment(2, map: "b.mp4")], of: variant)
        adaptation.initializations = [part("a.mp4"): [1], part("b.mp4"): [2]]
        adaptation.note([segment(102, map: "b.mp4")], of: variant)
        #expect(adaptation.initializations == [part("b.mp4"): [2]])
    }
}
