import Foundation
import Playback
import Testing

@testable import VLCBackend

/// Streams that break, in virtual time.
@Suite struct VLCRecoveryTests {
    private static let url = URL(string: "http://host/film.mp4")!
    private static let lost = PlaybackError(.connectionLost, url: url)
    private static let forbidden = PlaybackError(.httpStatus, url: url, httpStatus: 403)
    private static let gone = PlaybackError(.httpStatus, url: url, httpStatus: 404)

    private func makeDriver(
        _ url: URL = VLCRecoveryTests.url, retry: RetryPolicy = .steady, canReaddress: Bool = false
    ) -> StateMachineDriver {
        StateMachineDriver(url: url, retry: retry, canReaddress: canReaddress)
    }

    @Test func anMP4FileWithoutRangesKeepsItsVideoAndSaysWhatItNeeds() {
        var driver = makeDriver()
        driver.machine.tracks.isMP4InOrder = true
        driver.open()
        #expect(driver.machine.setVideoVisible(false).isEmpty)
        #expect(driver.machine.warnAboutFixedOutput() == [.report(.notice(VideoOutputStatus.fixedOutputNotice))])
        driver.play(4)
        driver.send(.endReached)
        #expect(driver.failure?.code == .rangesUnsupported)

        driver = makeDriver()
        driver.machine.tracks.isMP4InOrder = true
        driver.send(.encounteredError)
        #expect(driver.failure?.code == .rangesUnsupported)
    }

    @Test func aBrokenStreamRestartsAtItsPosition() throws {
        var driver = makeDriver()
        driver.open()
        driver.play(4)
        driver.lose(Self.lost)
        #expect(driver.actions.first == .report(.stalled(position: 4)))
        let restart = try #require(driver.restarts.first)
        #expect(restart == (4, 0))
        driver.open()
        #expect(driver.actions.contains(.report(.playing(position: 4))))
        let isOpenedAgain = driver.actions.contains { if case .report(.opened) = $0 { true } else { false } }
        #expect(!isOpenedAgain, "opened is reported once")
    }

    /// Each player joins a station at its edge, and counts from 0.
    @Test func thePositionOfAStationContinuesInAnotherPlayer() {
        let audio = VLCMediaInfo(isSeekable: false, streams: [VLCTrack(id: 0, kind: .audio)])
        var driver = StateMachineDriver(audio, url: Self.url)
        driver.machine.setStation(true)
        driver.open(showsVideo: false)
        driver.play(4)
        driver.lose(Self.lost)
        #expect(driver.restarts.count == 1)
        driver.open(showsVideo: false)
        driver.wait(0.25)
        #expect(driver.send(.timeChanged(250)).contains(.report(.time(position: 4.25))))
    }

    @Test func theOpenTimeoutOfAFileThatIsStoredFirstIsATimeWithoutData() {
        var driver = makeDriver()
        for _ in 0..<20 {
            driver.check(after: 5, silence: .seconds(3))
            #expect(driver.failure == nil)
        }
        driver.check(after: 10, silence: .seconds(10))
        #expect(driver.failure?.code == .timedOut)
    }

    @Test func attemptsSlowDownAndThenFail() {
        var driver = makeDriver()
        driver.open()
        driver.play(4)
        var delays: [Double] = []
        driver.lose(Self.lost)
        while let delay = driver.restarts.first?.delay, delays.count < 20 {
            delays.append(delay)
            driver.now += .seconds(delay)
            driver.machine.readingEnded(Self.lost)
            driver.send(.encounteredError)
        }
        #expect(delays == [0, 0.25, 0.5, 1, 2, 4])
        #expect(driver.failure?.code == .connectionLost)
        #expect(driver.failure?.tried == [.retried(times: 6, seconds: 7.75)])
        let count = driver.actions.count { if case .report(.failed) = $0 { true } else { false } }
        #expect(count == 1)
        driver.check(after: 20)
        #expect(driver.actions.isEmpty, "nothing follows a failure")
    }

    @Test func aRefusedAddressIsReplaced() {
        var driver = makeDriver(canReaddress: true)
        driver.open()
        driver.play(4)
        driver.lose(Self.forbidden)
        #expect(driver.actions.prefix(2) == [.report(.stalled(position: 4)), .requestAddress(Self.forbidden)])
        #expect(driver.restarts.isEmpty)
        let new = URL(string: "http://host/film.mp4?token=2")!
        driver.actions = driver.machine.readdressed(to: new, at: driver.now)
        #expect(driver.restarts.first ?? (0, 1) == (4, 0))
        #expect(driver.machine.url == new)
        driver.open()
        #expect(driver.actions.contains(.report(.playing(position: 4))))
        driver.play(2)
        driver.lose(Self.forbidden)
        #expect(driver.actions.contains(.requestAddress(Self.forbidden)), "it has expired once more")
    }

    @Test func anItemFailsWithoutAnotherAddress() {
        var driver = makeDriver(canReaddress: true)
        driver.open()
        driver.play(4)
        driver.lose(Self.forbidden)
        driver.actions = driver.machine.readdressed(to: nil, at: driver.now)
        #expect(driver.failure == Self.forbidden.after(.askedForAddress))
    }

    @Test func aRequestForAnAddressTimesOut() {
        var driver = makeDriver(canReaddress: true)
        driver.actions = driver.machine.unreachable(Self.forbidden, at: driver.now)
        #expect(driver.actions.contains(.requestAddress(Self.forbidden)))
        driver.check(after: 8.9)
        #expect(driver.failure == nil)
        driver.check(after: 0.2)
        #expect(driver.failure?.httpStatus == 403)
        driver.actions = driver.machine.readdressed(to: Self.url, at: driver.now)
        #expect(driver.actions.isEmpty, "it comes too late")
    }

    @Test func aSeekDuringARestartIsPerformedAfterOpening() {
        var driver = makeDriver()
        driver.open()
        driver.play(4)
        driver.lose(Self.lost)
        driver.actions = driver.machine.seek(to: 9, at: driver.now)
        #expect(driver.actions.isEmpty)
        driver.now += .milliseconds(10)
        driver.send(.buffering(10))
        driver.open()
        #expect(driver.actions.contains(.seek(.time(9))))
        driver.send(.buffering(10))
        driver.now += .milliseconds(10)
        driver.send(.buffering(10))
        driver.send(.buffering(100))
        #expect(driver.actions.contains(.report(.seeked(position: 9))))
    }

    @Test func aBrokenSeekIsRepeatedByTheRestart() {
        var driver = makeDriver()
        driver.open()
        driver.play(4)
        _ = driver.machine.seek(to: 9, at: driver.now)
        driver.now += .milliseconds(10)
        driver.send(.buffering(10))
        driver.machine.readingEnded(Self.lost)
        driver.send(.encounteredError)
        #expect(driver.restarts.first?.position == 9)
        driver.open()
        #expect(driver.actions.contains(.report(.seeked(position: 9))))
    }

    /// Opening succeeds, and what the seek needs cannot be had, again and again.
    @Test func aFailedSeekIsRetriedAsThePolicySays() {
        var driver = makeDriver()
        driver.open()
        driver.play(4)
        _ = driver.machine.seek(to: 6, at: driver.now)
        var delays: [Double] = []
        driver.lose(Self.lost)
        while let delay = driver.restarts.first?.delay, delays.count < 20 {
            delays.append(delay)
            driver.now += .seconds(delay)
            driver.open()
            driver.lose(Self.lost)
            if driver.actions.isEmpty { break }
        }
        #expect(delays.prefix(4) == [0, 0.25, 0.5, 1])
        #expect(driver.failure?.code == .connectionLost)
    }

    @Test func aRequestForAnAddressDuringASeekTimesOut() {
        var driver = makeDriver(canReaddress: true)
        driver.open()
        driver.play(4)
        _ = driver.machine.seek(to: 9, at: driver.now)
        driver.machine.readingEnded(Self.forbidden)
        driver.send(.encounteredError)
        #expect(driver.actions.contains(.requestAddress(Self.forbidden)))
        driver.check(after: 10.1)
        #expect(driver.failure?.httpStatus == 403)
    }

    @Test func aNewAddressHasItsOwnTimeToOpen() {
        var driver = makeDriver(canReaddress: true)
        driver.actions = driver.machine.unreachable(Self.forbidden, at: driver.now)
        driver.check(after: 8)
        _ = driver.machine.readdressed(to: Self.url, at: driver.now)
        driver.check(after: 8)
        #expect(driver.failure == nil)
        driver.check(after: 1.5)
        #expect(driver.failure?.code == .timedOut)
    }

    @Test func aLongPauseAllowsAnotherRequestForAnAddress() {
        var driver = makeDriver(canReaddress: true)
        driver.actions = driver.machine.unreachable(Self.forbidden, at: driver.now)
        _ = driver.machine.readdressed(to: Self.url, at: driver.now)
        driver.open()
        _ = driver.machine.pause(at: driver.now)
        driver.send(.paused)
        driver.now += .seconds(600)
        _ = driver.machine.play(at: driver.now)
        driver.send(.playing)
        driver.lose(Self.forbidden)
        #expect(driver.actions.contains(.requestAddress(Self.forbidden)))
    }

    @Test func aPermanentErrorIsNotRetried() {
        var driver = makeDriver()
        driver.open()
        driver.play(4)
        driver.lose(Self.gone)
        #expect(driver.failure == Self.gone)
    }

    @Test func aCompleteFileIsNotRequestedAgain() {
        var driver = makeDriver()
        driver.open()
        driver.play(4)
        driver.send(.endReached)
        #expect(driver.failure?.code == .endedEarly)
    }

    @Test func aPolicyWithoutAttemptsFailsAtOnce() {
        var driver = makeDriver(retry: .none)
        driver.open()
        driver.play(4)
        driver.lose(Self.lost)
        #expect(driver.failure == Self.lost)
    }

    @Test func aLocalFileIsNeverRestarted() {
        var driver = makeDriver(URL(filePath: "/clip"))
        driver.open()
        driver.play(4)
        driver.send(.endReached)
        #expect(driver.failure?.code == .endedEarly)
    }

    @Test func playbackResetsTheCountOfAttempts() {
        var driver = makeDriver()
        driver.open()
        for _ in 0..<5 {
            driver.play(1.5)
            driver.lose(Self.lost)
            #expect(driver.restarts.first?.delay == 0)
            driver.open()
        }
        driver.play(0.5)
        driver.lose(Self.lost)
        #expect(driver.restarts.first?.delay == 0.25, "it broke at the same place once more")
    }

    @Test func anItemThatDoesNotOpenInTimeFails() {
        var driver = makeDriver()
        #expect(driver.actions == [.watch(VLCStateMachine.watchInterval)])
        driver.check(after: 8.9)
        #expect(driver.actions == [.watch(VLCStateMachine.watchInterval)])
        driver.check(after: 0.2)
        #expect(driver.failure?.code == .timedOut)
    }

    @Test(arguments: [Double.infinity, .nan, 1e300])
    func anInfiniteTimeoutNeverFails(limit: Double) {
        var policy = RetryPolicy.standard
        (policy.openTimeout, policy.stallTimeout, policy.giveUpAfter) = (limit, limit, limit)
        var driver = makeDriver(retry: policy)
        driver.check(after: 100)
        driver.open()
        driver.play(2)
        driver.check(after: 100)
        #expect(driver.failure == nil)
    }

    @Test func aLongStallFails() {
        var driver = makeDriver()
        driver.open()
        driver.play(2)
        driver.send(.buffering(10))
        #expect(driver.actions.first == .report(.stalled(position: 2)))
        driver.check(after: 8.9)
        #expect(driver.failure == nil)
        driver.check(after: 0.2)
        #expect(driver.failure?.code == .timedOut)
    }

    @Test func aStallAndItsAttemptsHaveOneLimit() {
        var driver = makeDriver()
        driver.open()
        driver.play(2)
        driver.send(.buffering(10))
        driver.check(after: 6)
        driver.lose(Self.lost)
        #expect(driver.restarts.first?.delay == 0)
        driver.check(after: 3.9)
        #expect(driver.failure == nil)
        driver.check(after: 0.2)
        #expect(driver.failure != nil)
    }

    @Test func anUnchangedTimeIsAStallAndThenAFailure() {
        var driver = makeDriver()
        driver.open()
        driver.play(2)
        var actions: [VLCStateMachine.Action] = []
        for _ in 0..<60 {
            driver.now += .milliseconds(250)
            driver.send(.timeChanged(2000))
            actions += driver.actions
            driver.actions = driver.machine.checkProgress(at: driver.now)
            actions += driver.actions
            if driver.machine.isFinished { break }
        }
        let stalls = actions.count { if case .report(.stalled) = $0 { true } else { false } }
        #expect(stalls == 1)
        #expect(driver.failure?.code == .timedOut)
        #expect(driver.now < .seconds(2 + 9 + 1))
    }

    /// In HLS, positions are reported for a while after libVLC's time has stopped.
    @Test func aStallBeginsAtTheLastReportedPosition() {
        var driver = makeDriver()
        driver.send(.demuxer("adaptive"))
        driver.open()
        driver.send(.presentation(nil))
        driver.play(2)
        var lastTold = driver.now
        while driver.failure == nil, driver.now < .seconds(30) {
            driver.now += .milliseconds(250)
            driver.send(.timeChanged(2000))
            if driver.actions.contains(where: { if case .report(.time) = $0 { true } else { false } }) {
                lastTold = driver.now
            }
            driver.actions = driver.machine.checkProgress(at: driver.now)
        }
        #expect(lastTold > .seconds(4), "positions were reported")
        #expect(driver.failure?.code == .timedOut)
        let limit = Duration.seconds(RetryPolicy.standard.stallTimeout)
        #expect(driver.now - lastTold > limit)
        #expect(driver.now - lastTold <= limit + .milliseconds(250), "at the first look after it")
    }

    @Test func aTimeThatMovesOnceASecondIsNoStall() {
        var driver = makeDriver()
        driver.open()
        for step in 1...40 {
            driver.now += .milliseconds(250)
            driver.send(.timeChanged(Int64(step / 4 * 1000)))
            #expect(!driver.actions.contains { if case .report(.stalled) = $0 { true } else { false } })
        }
    }

    @Test func aStallDuringAPauseLastsAsLongAsThePause() {
        var driver = makeDriver()
        driver.open()
        driver.play(2)
        _ = driver.machine.pause(at: driver.now)
        driver.send(.paused)
        driver.send(.buffering(10))
        driver.check(after: 100)
        #expect(driver.failure == nil)
    }
}

extension RetryPolicy {
    /// Without chance in it.
    fileprivate static var steady: RetryPolicy {
        var policy = RetryPolicy()
        policy.jitter = 0
        return policy
    }
}
