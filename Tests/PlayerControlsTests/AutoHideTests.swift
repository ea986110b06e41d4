import Testing

@testable import PlayerControls

@Suite struct AutoHideTests {
    private var controls = AutoHide()

    @Test mutating func movementShowsThemForThreeSeconds() {
        #expect(!controls.isVisible(at: .zero))
        controls.pointerMoved(x: 1, y: 1, at: .zero)
        controls.pointerMoved(x: 2, y: 1, at: .seconds(1))
        #expect(controls.isVisible(at: .milliseconds(3999)))
        #expect(controls.deadline == .seconds(4))
        #expect(!controls.isVisible(at: .seconds(4)))
    }

    @Test mutating func motionToTheSamePlaceIsIgnored() {
        controls.pointerMoved(x: 1, y: 1, at: .zero)
        #expect(!controls.isVisible(at: .zero))
        controls.pointerMoved(x: 1, y: 2, at: .seconds(1))
        controls.pointerMoved(x: 1, y: 2, at: .seconds(3))
        #expect(!controls.isVisible(at: .seconds(4)))
    }

    @Test mutating func aChangeOfSizeDoesNotShowThem() {
        controls.pointerMoved(x: 1, y: 1, at: .zero)
        controls.pointerLeft()
        controls.pointerMoved(x: 500, y: 300, at: .seconds(1))
        #expect(!controls.isVisible(at: .seconds(1)))
        controls.pointerMoved(x: 501, y: 300, at: .seconds(2))
        #expect(controls.isVisible(at: .seconds(2)))
    }

    @Test(arguments: AutoHide.Hold.allCases)
    func eachHoldKeepsThem(hold: AutoHide.Hold) {
        var controls = AutoHide()
        controls.hold(hold, true, at: .zero)
        #expect(controls.isVisible(at: .seconds(1000)))
        #expect(controls.deadline == nil)
        controls.hold(hold, false, at: .seconds(1000))
        #expect(controls.isVisible(at: .seconds(1002)))
        #expect(!controls.isVisible(at: .seconds(1003)))
    }

    @Test mutating func theLastHoldCounts() {
        controls.hold(.menuOpen, true, at: .zero)
        controls.hold(.paused, true, at: .zero)
        controls.hold(.menuOpen, false, at: .seconds(10))
        #expect(controls.isVisible(at: .seconds(100)))
        // Removing what does not hold them is no activity.
        controls.hold(.paused, false, at: .seconds(100))
        controls.hold(.paused, false, at: .seconds(102))
        #expect(!controls.isVisible(at: .seconds(103)))
    }
}
