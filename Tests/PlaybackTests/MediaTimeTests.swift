import Playback
import Testing

@Suite struct MediaTimeTests {
    @Test func equalInstantsAreEqualInEveryTimescale() {
        let a = MediaTime(value: 3, timescale: 2)
        let b = MediaTime(value: 900, timescale: 600)
        #expect(a == b)
        #expect(a.hashValue == b.hashValue)
        #expect(a.seconds == 1.5)
    }

    @Test func secondsOutOfRangeAreInvalid() {
        for seconds in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(!MediaTime(seconds: seconds).isNumeric)
        }
        #expect(MediaTime(seconds: 1, preferredTimescale: 0) == .invalid)
        #expect(MediaTime.invalid.seconds.isNaN)
    }

    @Test func timesSortByInstantAndInvalidOnesLast() {
        let times = [MediaTime.invalid, MediaTime(seconds: 2), .zero, MediaTime(value: 1, timescale: 3)]
        #expect(times.sorted().map(\.isNumeric) == [true, true, true, false])
        #expect(times.sorted()[1] == MediaTime(value: 1, timescale: 3))
        #expect(MediaTime(value: .max, timescale: 1) > MediaTime(value: .max - 1, timescale: 1))
    }

    @Test func sumsAndDifferencesKeepTheFinerTimescale() {
        let sum = MediaTime(value: 1, timescale: 2) + MediaTime(value: 1, timescale: 600)
        #expect(sum.timescale == 600)
        #expect(sum == MediaTime(value: 301, timescale: 600))
        #expect(MediaTime.zero - MediaTime(seconds: 1) == MediaTime(seconds: -1))
        #expect(MediaTime.zero + .invalid == .invalid)
    }
}
