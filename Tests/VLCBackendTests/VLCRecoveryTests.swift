import Foundation
import Playback
import Testing

@testable import VLCBackend

/// What becomes of a stream that breaks, in virtual time.
@Suite struct VLCRecoveryTests {
    private static let url = URL(string: "http://host/film.mp4")!
    private static let lost = PlaybackError(.connectionLost, url: url)
    private static let forbidden = PlaybackError(.httpStatus, url: url, httpStatus: 403)
    private static let gone = PlaybackError(.httpStatus, url: url, httpStatus: 404)

    private struct Stream {
        var interpreter: VLCStateMachine
        var now = Duration.zero
        var actions: [VLCStateMachine.Action] = []
        private var engineTime = 0.0

        init(_ url: URL = VLCRecoveryTests.url, retry: RetryPolicy = .steady, canReaddress: Bool = false) {
            interpreter = VLCStateMachine(
                url: url, retry: retry, canReaddress: canReaddress, startPosition: 0, wantsToPlay: true,
                showsVideo: true, rate: 1, at: .zero)
            actions = interpreter.begin(at: now)
        }

        mutating func signal(_ signal: VLCEvent) {
            actions = interpreter.handle(
                signal, latest: interpreter.wantsFacts(with: signal) ? VLCStateMachineTests.film : nil, at: now)
        }

        mutating func open() {
            for stream in VLCStateMachineTests.film.streams {
                signal(.streamAdded(stream.id, stream.kind))
                signal(.streamSelected(stream.id, stream.kind))
            }
            signal(.playing)
            signal(.videoOutputs(1))
            signal(.buffering(100))
        }

        mutating func play(_ seconds: Double) {
            for _ in 0..<Int(seconds / 0.25) {
                now += .milliseconds(250)
                engineTime += 0.25
                signal(.timeChanged(Int64(engineTime * 1000)))
            }
        }

        /// The connection is lost, and libVLC has nothing left to play.
        mutating func lose(_ error: PlaybackError) {
            _ = interpreter.readingEnded(error)
            signal(.endReached)
        }

        /// Lets time pass in which libVLC says nothing, and asks for what that means.
        mutating func wait(_ seconds: Double) {
            now += .seconds(seconds)
            actions = interpreter.checkProgress(at: now)
        }

        var restarts: [(position: Double, delay: Double)] {
            actions.compactMap { if case .restart(let position, _, let delay) = $0 { (position, delay) } else { nil } }
        }

        var failure: PlaybackError? {
            actions.lazy.compactMap { if case .tell(.failed(let error, _)) = $0 { error } else { nil } }.first
        }
    }

    @Test func aStreamThatBreaksIsTakenUpWhereItWas() throws {
        var stream = Stream()
        stream.open()
        stream.play(4)
        stream.lose(Self.lost)
        #expect(stream.actions.first == .tell(.stalled(position: 4)))
        let restart = try #require(stream.restarts.first)
        #expect(restart == (4, 0))
        stream.open()
        #expect(stream.actions.contains(.tell(.playing(position: 4))))
        #expect(!stream.actions.contains { if case .tell(.opened) = $0 { true } else { false } }, "opened is told once")
    }

    @Test func attemptsComeLaterAndLaterAndThenItHasFailed() {
        var stream = Stream()
        stream.open()
        stream.play(4)
        var delays: [Double] = []
        stream.lose(Self.lost)
        while let delay = stream.restarts.first?.delay, delays.count < 20 {
            delays.append(delay)
            stream.now += .seconds(delay)
            _ = stream.interpreter.readingEnded(Self.lost)
            stream.signal(.encounteredError)
        }
        #expect(delays == [0, 0.25, 0.5, 1, 2, 4])
        #expect(stream.failure?.code == .connectionLost)
        #expect(stream.failure?.tried == [.retried(times: 6, seconds: 7.75)])
        let count = stream.actions.count { if case .tell(.failed) = $0 { true } else { false } }
        #expect(count == 1)
        stream.wait(20)
        #expect(stream.actions.isEmpty, "nothing follows a failure")
    }

    @Test func aRefusedAddressIsAskedForAndPlaybackGoesOn() {
        var stream = Stream(canReaddress: true)
        stream.open()
        stream.play(4)
        stream.lose(Self.forbidden)
        #expect(stream.actions.prefix(2) == [.tell(.stalled(position: 4)), .askForAddress(Self.forbidden)])
        #expect(stream.restarts.isEmpty)
        let new = URL(string: "http://host/film.mp4?token=2")!
        stream.actions = stream.interpreter.readdressed(to: new, at: stream.now)
        #expect(stream.restarts.first ?? (0, 1) == (4, 0))
        #expect(stream.interpreter.url == new)
        stream.open()
        #expect(stream.actions.contains(.tell(.playing(position: 4))))
        stream.play(2)
        stream.lose(Self.forbidden)
        #expect(stream.actions.contains(.askForAddress(Self.forbidden)), "it has expired once more")
    }

    @Test func whoKnowsNoOtherAddressLetsItFail() {
        var stream = Stream(canReaddress: true)
        stream.open()
        stream.play(4)
        stream.lose(Self.forbidden)
        stream.actions = stream.interpreter.readdressed(to: nil, at: stream.now)
        #expect(stream.failure == Self.forbidden.after(.askedForAddress))
    }

    @Test func anAnswerThatDoesNotComeIsNotWaitedForLongerThanThePolicySays() {
        var stream = Stream(canReaddress: true)
        stream.actions = stream.interpreter.unreachable(Self.forbidden, at: stream.now)
        #expect(stream.actions.contains(.askForAddress(Self.forbidden)))
        stream.wait(8.9)
        #expect(stream.failure == nil)
        stream.wait(0.2)
        #expect(stream.failure?.httpStatus == 403)
        stream.actions = stream.interpreter.readdressed(to: Self.url, at: stream.now)
        #expect(stream.actions.isEmpty, "it comes too late")
    }

    @Test func aSeekWhileItIsTakenUpGoesThereOnceItIsOpen() {
        var stream = Stream()
        stream.open()
        stream.play(4)
        stream.lose(Self.lost)
        stream.actions = stream.interpreter.seek(to: 9, at: stream.now)
        #expect(stream.actions.isEmpty)
        stream.now += .milliseconds(10)
        stream.signal(.buffering(10))
        stream.open()
        #expect(stream.actions.contains(.seek(.time(9))))
        stream.signal(.buffering(10))
        stream.now += .milliseconds(10)
        stream.signal(.buffering(10))
        stream.signal(.buffering(100))
        #expect(stream.actions.contains(.tell(.seeked(position: 9))))
    }

    @Test func aSeekThatABreakOvertakesIsTakenUpWithIt() {
        var stream = Stream()
        stream.open()
        stream.play(4)
        _ = stream.interpreter.seek(to: 9, at: stream.now)
        stream.now += .milliseconds(10)
        stream.signal(.buffering(10))
        _ = stream.interpreter.readingEnded(Self.lost)
        stream.signal(.encounteredError)
        #expect(stream.restarts.first?.position == 9)
        stream.open()
        #expect(stream.actions.contains(.tell(.seeked(position: 9))))
    }

    /// Opening succeeds, and what the seek needs cannot be had, again and again.
    @Test func aSeekThatNothingComesOfIsMadeAgainAsOftenAsThePolicySays() {
        var stream = Stream()
        stream.open()
        stream.play(4)
        _ = stream.interpreter.seek(to: 6, at: stream.now)
        var delays: [Double] = []
        stream.lose(Self.lost)
        while let delay = stream.restarts.first?.delay, delays.count < 20 {
            delays.append(delay)
            stream.now += .seconds(delay)
            stream.open()
            stream.lose(Self.lost)
            if stream.actions.isEmpty { break }
        }
        #expect(delays.prefix(4) == [0, 0.25, 0.5, 1])
        #expect(stream.failure?.code == .connectionLost)
    }

    @Test func aQuestionDuringASeekIsNotWaitedForForEver() {
        var stream = Stream(canReaddress: true)
        stream.open()
        stream.play(4)
        _ = stream.interpreter.seek(to: 9, at: stream.now)
        _ = stream.interpreter.readingEnded(Self.forbidden)
        stream.signal(.encounteredError)
        #expect(stream.actions.contains(.askForAddress(Self.forbidden)))
        stream.wait(10.1)
        #expect(stream.failure?.httpStatus == 403)
    }

    @Test func aNewAddressHasItsOwnTimeToOpen() {
        var stream = Stream(canReaddress: true)
        stream.actions = stream.interpreter.unreachable(Self.forbidden, at: stream.now)
        stream.wait(8)
        _ = stream.interpreter.readdressed(to: Self.url, at: stream.now)
        stream.wait(8)
        #expect(stream.failure == nil)
        stream.wait(1.5)
        #expect(stream.failure?.code == .timedOut)
    }

    @Test func whatStoodPausedForLongIsAskedForAgain() {
        var stream = Stream(canReaddress: true)
        stream.actions = stream.interpreter.unreachable(Self.forbidden, at: stream.now)
        _ = stream.interpreter.readdressed(to: Self.url, at: stream.now)
        stream.open()
        _ = stream.interpreter.pause(at: stream.now)
        stream.signal(.paused)
        stream.now += .seconds(600)
        _ = stream.interpreter.play(at: stream.now)
        stream.signal(.playing)
        stream.lose(Self.forbidden)
        #expect(stream.actions.contains(.askForAddress(Self.forbidden)))
    }

    @Test func whatHelpsNothingIsNotTried() {
        var stream = Stream()
        stream.open()
        stream.play(4)
        stream.lose(Self.gone)
        #expect(stream.failure == Self.gone)
    }

    @Test func whatHasComeAsAWholeIsNotAskedForAgain() {
        var stream = Stream()
        stream.open()
        stream.play(4)
        stream.signal(.endReached)
        #expect(stream.failure?.code == .endedEarly)
    }

    @Test func aPolicyWithoutAttemptsFailsAtOnce() {
        var stream = Stream(retry: .none)
        stream.open()
        stream.play(4)
        stream.lose(Self.lost)
        #expect(stream.failure == Self.lost)
    }

    @Test func aFileIsNeverTakenUpAgain() {
        var stream = Stream(URL(filePath: "/clip"))
        stream.open()
        stream.play(4)
        stream.signal(.endReached)
        #expect(stream.failure?.code == .endedEarly)
    }

    @Test func playingOnForAWhileBeginsTheCountAnew() {
        var stream = Stream()
        stream.open()
        for _ in 0..<5 {
            stream.play(1.5)
            stream.lose(Self.lost)
            #expect(stream.restarts.first?.delay == 0)
            stream.open()
        }
        stream.play(0.5)
        stream.lose(Self.lost)
        #expect(stream.restarts.first?.delay == 0.25, "it broke at the same place once more")
    }

    @Test func whatDoesNotBeginInTimeHasFailed() {
        var stream = Stream()
        #expect(stream.actions == [.watch(VLCStateMachine.watchInterval)])
        stream.wait(8.9)
        #expect(stream.actions == [.watch(VLCStateMachine.watchInterval)])
        stream.wait(0.2)
        #expect(stream.failure?.code == .timedOut)
    }

    @Test(arguments: [Double.infinity, .nan, 1e300])
    func whoWaitsForEverWaits(limit: Double) {
        var policy = RetryPolicy.standard
        (policy.longestOpening, policy.longestStall, policy.giveUpAfter) = (limit, limit, limit)
        var stream = Stream(retry: policy)
        stream.wait(100)
        stream.open()
        stream.play(2)
        stream.wait(100)
        #expect(stream.failure == nil)
    }

    @Test func aStallThatLastsHasFailed() {
        var stream = Stream()
        stream.open()
        stream.play(2)
        stream.signal(.buffering(10))
        #expect(stream.actions.first == .tell(.stalled(position: 2)))
        stream.wait(8.9)
        #expect(stream.failure == nil)
        stream.wait(0.2)
        #expect(stream.failure?.code == .timedOut)
    }

    @Test func aStallAndWhatIsTriedAfterItHaveOneLimit() {
        var stream = Stream()
        stream.open()
        stream.play(2)
        stream.signal(.buffering(10))
        stream.wait(6)
        stream.lose(Self.lost)
        #expect(stream.restarts.first?.delay == 0)
        stream.wait(3.9)
        #expect(stream.failure == nil)
        stream.wait(0.2)
        #expect(stream.failure != nil)
    }

    @Test func anEngineThatTellsTheSameTimeForEverHasStalledAndThenFailed() {
        var stream = Stream()
        stream.open()
        stream.play(2)
        var told: [VLCStateMachine.Action] = []
        for _ in 0..<60 {
            stream.now += .milliseconds(250)
            stream.signal(.timeChanged(2000))
            told += stream.actions
            stream.actions = stream.interpreter.checkProgress(at: stream.now)
            told += stream.actions
            if stream.interpreter.isFinished { break }
        }
        let stalls = told.count { if case .tell(.stalled) = $0 { true } else { false } }
        #expect(stalls == 1)
        #expect(stream.failure?.code == .timedOut)
        #expect(stream.now < .seconds(2 + 9 + 1))
    }

    /// In HLS positions go on for a while though the engine's time does not.
    @Test func aStallLastsSinceTheLastPositionThatWasTold() {
        var stream = Stream()
        stream.signal(.demuxer("adaptive"))
        stream.open()
        stream.signal(.presentation(nil))
        stream.play(2)
        var lastTold = stream.now
        while stream.failure == nil, stream.now < .seconds(30) {
            stream.now += .milliseconds(250)
            stream.signal(.timeChanged(2000))
            if stream.actions.contains(where: { if case .tell(.time) = $0 { true } else { false } }) {
                lastTold = stream.now
            }
            stream.actions = stream.interpreter.checkProgress(at: stream.now)
        }
        #expect(lastTold > .seconds(4), "positions went on")
        #expect(stream.failure?.code == .timedOut)
        let limit = Duration.seconds(RetryPolicy.standard.longestStall)
        #expect(stream.now - lastTold > limit)
        #expect(stream.now - lastTold <= limit + .milliseconds(250), "at the first look after it")
    }

    @Test func aTimeThatMovesOnceASecondIsNoStall() {
        var stream = Stream()
        stream.open()
        for step in 1...40 {
            stream.now += .milliseconds(250)
            stream.signal(.timeChanged(Int64(step / 4 * 1000)))
            #expect(!stream.actions.contains { if case .tell(.stalled) = $0 { true } else { false } })
        }
    }

    @Test func aStallDuringAPauseLastsAsLongAsThePause() {
        var stream = Stream()
        stream.open()
        stream.play(2)
        _ = stream.interpreter.pause(at: stream.now)
        stream.signal(.paused)
        stream.signal(.buffering(10))
        stream.wait(100)
        #expect(stream.failure == nil)
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
