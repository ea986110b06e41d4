import Foundation
import Playback
import Testing

@testable import MediaTransport
@testable import VLCBackend

/// What libVLC signals in the situations that were measured, and what becomes of it.
@Suite struct VLCStateMachineTests {
    static let film = VLCMediaInfo(
        duration: 10, isSeekable: true,
        streams: [VLCTrack(id: 0, kind: .video, width: 64, height: 36), VLCTrack(id: 1, kind: .audio)])
    static let song = VLCMediaInfo(duration: 10, isSeekable: true, streams: [VLCTrack(id: 0, kind: .audio)])

    private struct Deck {
        var interpreter: VLCStateMachine
        var facts: VLCMediaInfo
        var now = Duration.zero
        private var engineTime = Duration.zero

        init(_ facts: VLCMediaInfo, url: URL = URL(filePath: "/clip"), plays: Bool = true, showsVideo: Bool = true) {
            self.facts = facts
            interpreter = VLCStateMachine(
                url: url, startPosition: 0, wantsToPlay: plays, showsVideo: showsVideo, rate: 1, at: .zero)
        }

        @discardableResult
        mutating func signal(_ signal: VLCEvent) -> [VLCStateMachine.Action] {
            interpreter.handle(signal, latest: interpreter.wantsFacts(with: signal) ? facts : nil, at: now)
        }

        @discardableResult
        mutating func open(seen: Bool = true) -> [VLCStateMachine.Action] {
            if seen { signal(.videoOutputs(1)) }
            for stream in facts.streams {
                signal(.streamAdded(stream.id, stream.kind))
                if stream.kind != .text { signal(.streamSelected(stream.id, stream.kind)) }
            }
            signal(.playing)
            signal(.buffering(0))
            return signal(.buffering(100))
        }

        /// Lets time pass in which libVLC says nothing.
        mutating func wait(_ seconds: Double) { now += .seconds(seconds) }

        /// Lets time pass in which libVLC tells the times of a medium that plays.
        mutating func play(_ seconds: Double) { _ = playOn(seconds) }

        /// Likewise, with what comes of it.
        mutating func playOn(_ seconds: Double) -> [VLCStateMachine.Action] {
            var actions: [VLCStateMachine.Action] = []
            let end = now + .seconds(seconds)
            while now < end {
                let step = min(.milliseconds(250), end - now)
                now += step
                engineTime += step
                actions += signal(.timeChanged(Int64((engineTime / .milliseconds(1)).rounded())))
            }
            return actions
        }
    }

    @Test func playingIsToldWhenTheBuffersAreFullNotWhenLibVLCSaysSo() {
        var deck = Deck(Self.film)
        deck.signal(.streamSelected(0, .video))
        #expect(deck.signal(.playing).isEmpty)
        #expect(deck.signal(.buffering(50)).isEmpty)
        let actions = deck.signal(.buffering(100))
        #expect(actions.first == .tell(.buffered(.whole)))
        #expect(actions.suffix(2) == [.tell(.playing(position: 0)), .watch(VLCStateMachine.watchInterval)])
    }

    @Test func anItemThatWaitsIsOpenedAndHeld() {
        var deck = Deck(Self.film, plays: false)
        deck.signal(.streamSelected(1, .audio))
        #expect(deck.signal(.playing) == [.pause])
        deck.signal(.paused)
        let actions = deck.signal(.buffering(100))
        #expect(!actions.contains(.tell(.playing(position: 0))))
        #expect(!actions.contains(.pause), "it stands already")
        #expect(deck.interpreter.play(at: deck.now) == [.resume])
        #expect(deck.signal(.playing) == [.tell(.playing(position: 0)), .watch(VLCStateMachine.watchInterval)])
    }

    @Test func garbageIsAFailureAndNotAnEnd() {
        var deck = Deck(VLCMediaInfo())
        deck.signal(.playing)
        let actions = deck.signal(.endReached)
        #expect(
            actions == [.tell(.failed(PlaybackError(.unrecognisedFormat, url: deck.interpreter.url), position: 0))])
        #expect(deck.interpreter.isFinished)
        #expect(deck.signal(.endReached).isEmpty)
    }

    @Test func anEndWellBeforeTheEndIsAFailureWithThePosition() {
        var deck = Deck(Self.film)
        deck.open()
        deck.play(5)
        guard case .tell(.failed(let error, let position)) = deck.signal(.endReached).first else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == .endedEarly)
        #expect(position == 5)
        #expect(error.message.contains("5.0 s of 10.0 s"))
    }

    @Test func theEndIsToldWhenTheLastSoundIsOver() {
        var deck = Deck(Self.song)
        deck.open()
        deck.play(8.9)
        guard case .awaitEnd(let seconds) = deck.signal(.endReached).last else {
            Issue.record("nothing is awaited")
            return
        }
        #expect(abs(seconds - 1.1) < 1e-9)
        deck.wait(1.1)
        #expect(deck.interpreter.drained() == [.tell(.ended(position: 10))])
        #expect(deck.interpreter.drained().isEmpty)
    }

    @Test func aPauseWhileTheLastSoundIsHeardHoldsTheEnd() {
        var deck = Deck(Self.song)
        deck.open()
        deck.play(9)
        deck.signal(.endReached)
        deck.wait(0.5)
        #expect(deck.interpreter.pause(at: deck.now) == [.cancelAwaitingEnd, .tell(.paused(position: 9.5))])
        #expect(deck.interpreter.drained().isEmpty)
        deck.wait(60)
        #expect(deck.interpreter.play(at: deck.now) == [.tell(.playing(position: 9.5)), .awaitEnd(0.5)])
    }

    @Test func aSeekWhileTheLastSoundIsHeardBeginsAnew() {
        var deck = Deck(Self.song)
        deck.open()
        deck.play(9)
        deck.signal(.endReached)
        let seek = deck.interpreter.seek(to: 2, at: deck.now)
        #expect(seek.last == .restart(at: 2, decodingVideo: true))
        let actions = deck.open()
        #expect(actions == [.tell(.seeked(position: 2)), .tell(.playing(position: 2))])
    }

    @Test func theTargetThatLibVLCRepeatsIsNotYetASeekDone() {
        var deck = Deck(Self.film)
        deck.open()
        deck.wait(0.1)
        #expect(deck.interpreter.seek(to: 7, at: deck.now) == [.seek(.time(7))])
        #expect(deck.signal(.timeChanged(7000)).isEmpty)
        #expect(deck.signal(.buffering(100)).isEmpty)
        deck.wait(0.1)
        #expect(deck.signal(.buffering(0)).isEmpty)
        #expect(deck.signal(.buffering(100)) == [.tell(.seeked(position: 7)), .tell(.playing(position: 7))])
    }

    @Test func missingDataAreAStallAndThenPlayingAgain() {
        var deck = Deck(Self.film)
        deck.open()
        deck.play(3)
        #expect(deck.signal(.buffering(10)) == [.tell(.stalled(position: 3))])
        deck.wait(2)
        #expect(deck.signal(.buffering(60)).isEmpty)
        #expect(deck.signal(.buffering(100)) == [.tell(.playing(position: 3))])
    }

    @Test func aPictureAloneIsDecodedEvenIfNobodySeesIt() {
        var facts = Self.film
        facts.streams.removeAll { $0.kind == .audio }
        var deck = Deck(facts, showsVideo: false)
        #expect(deck.signal(.playing) == [.restart(at: 0, decodingVideo: true)])
        #expect(deck.open().contains(.tell(.playing(position: 0))))
    }

    @Test func aStreamThatIsNotWantedIsHeldOnceItIsOpen() {
        var deck = Deck(Self.film, plays: false)
        deck.signal(.streamSelected(1, .audio))
        #expect(deck.signal(.playing) == [.pause])
        #expect(deck.signal(.buffering(100)).last == .pause, "the engine did not hold it the first time")
        #expect(deck.interpreter.left(at: deck.now) == [.tell(.paused(position: 0))])
        #expect(deck.interpreter.play(at: deck.now) == [.resume])
        #expect(deck.open() == [.tell(.playing(position: 0)), .watch(VLCStateMachine.watchInterval)])
    }

    @Test func aPauseBeforeTheLastSoundIsHandedOutHoldsTheEnd() {
        var deck = Deck(Self.song)
        deck.open()
        deck.play(9)
        #expect(deck.interpreter.pause(at: deck.now) == [.pause])
        #expect(deck.signal(.endReached).isEmpty)
        #expect(deck.interpreter.drained().isEmpty)
        #expect(!deck.interpreter.isFinished)
        #expect(deck.interpreter.play(at: deck.now).last == .awaitEnd(1))
    }

    @Test func aPictureThatIsNowhereIsSaidOnceAndOneThatCameLateIsNot() {
        for (outputs, notices) in [(0, 1), (1, 0)] {
            var deck = Deck(Self.film)
            deck.signal(.logged(VLCLogLine(module: "main", message: "video output creation failed")))
            deck.open()
            deck.signal(.logged(VLCLogLine(module: "main", message: "video output creation failed")))
            deck.signal(.videoOutputs(outputs))
            deck.wait(0.5)
            let actions = deck.signal(.timeChanged(500)) + deck.signal(.timeChanged(750))
            #expect(actions.count == 2 + notices)
        }
    }

    @Test func aPictureOfWhichNothingComesIsSaidOnceAndTheSoundGoesOn() {
        var deck = Deck(Self.film)
        deck.open(seen: false)
        deck.play(7.5)
        let notices = (0..<7).flatMap { _ in deck.playOn(0.25) }.compactMap { action in
            if case .tell(.notice(let notice)) = action { notice.code } else { nil }
        }
        #expect(notices == ["noPicture"])
        #expect(deck.signal(.endReached).contains { if case .awaitEnd = $0 { true } else { false } }, "it is whole")
    }

    @Test func aPictureThatNobodySeesIsNotMissed() {
        var deck = Deck(Self.film)
        _ = deck.interpreter.showPicture(false)
        deck.open(seen: false)
        deck.play(9)
        _ = deck.interpreter.showPicture(true)
        #expect(!deck.playOn(0.5).contains { if case .tell(.notice) = $0 { true } else { false } })
    }

    @Test func aPauseTakenBackBeforeItTookEffectPlaysOn() {
        var deck = Deck(Self.film)
        deck.open()
        deck.wait(1)
        #expect(deck.interpreter.pause(at: deck.now) == [.pause])
        #expect(deck.interpreter.play(at: deck.now) == [.resume, .tell(.playing(position: 1))])
        #expect(deck.signal(.paused) == [.resume], "the pause came through after all")
        #expect(deck.signal(.playing).first == .tell(.playing(position: 1)))
    }

    @Test func aSilentEngineIsAStallAndNotBelievedToRun() {
        var deck = Deck(Self.film)
        #expect(deck.open().last == .watch(VLCStateMachine.watchInterval))
        deck.wait(1)
        deck.signal(.timeChanged(1000))
        deck.wait(0.5)
        #expect(deck.interpreter.checkProgress(at: deck.now) == [.watch(VLCStateMachine.watchInterval)])
        deck.wait(1)
        #expect(deck.interpreter.checkProgress(at: deck.now) == [.tell(.stalled(position: 2.5))])
        deck.wait(60)
        #expect(deck.interpreter.checkProgress(at: deck.now).isEmpty)
        #expect(deck.signal(.timeChanged(1200)).first == .tell(.playing(position: 2.5)))
    }

    @Test func anEndAfterASilenceIsJudgedByWhatWasPlayed() {
        var deck = Deck(Self.film)
        deck.open()
        deck.wait(4)
        deck.signal(.timeChanged(4000))
        deck.wait(30)
        guard case .tell(.failed(let error, let position)) = deck.signal(.endReached).first else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == .endedEarly)
        #expect(position == 5.5)
    }

    @Test func aSeekOfWhichNothingIsHeardFails() {
        var deck = Deck(Self.film)
        deck.open()
        deck.play(1)
        #expect(deck.interpreter.seek(to: 7, at: deck.now) == [.seek(.time(7))], "the item is watched already")
        deck.wait(4)
        #expect(deck.interpreter.checkProgress(at: deck.now) == [.watch(VLCStateMachine.watchInterval)])
        deck.wait(2)
        let actions = deck.interpreter.checkProgress(at: deck.now)
        #expect(actions.first == .tell(.seekFailed(position: 1)))
        #expect(actions.dropFirst().first == .tell(.playing(position: 1)))
    }

    @Test func buffersThatFilledBeforeASeekDoNotEndIt() {
        var deck = Deck(Self.film)
        deck.open()
        deck.wait(1)
        let before = deck.now
        deck.wait(1)
        _ = deck.interpreter.seek(to: 7, at: deck.now)
        let late = deck.now
        deck.now = before
        #expect(deck.signal(.buffering(30)).isEmpty)
        #expect(deck.signal(.buffering(100)).isEmpty)
        deck.now = late + .milliseconds(1)
        #expect(deck.signal(.buffering(0)).isEmpty)
        #expect(deck.signal(.buffering(100)).first == .tell(.seeked(position: 7)))
    }

    @Test func aStreamThatIsJoinedAgainGoesOnFromItsPosition() {
        var facts = Self.film
        facts.duration = nil
        var deck = Deck(facts)
        deck.open()
        for second in 1...60 {
            deck.wait(1)
            deck.signal(.timeChanged(Int64(second) * 1000))
        }
        _ = deck.interpreter.pause(at: deck.now)
        #expect(deck.interpreter.left(at: deck.now) == [.tell(.paused(position: 60))])
        #expect(deck.interpreter.play(at: deck.now) == [.resume])
        #expect(deck.open().first == .tell(.playing(position: 60)))
        deck.wait(0.5)
        #expect(deck.signal(.timeChanged(100)).first == .tell(.time(position: 60.5)))
        deck.wait(1)
        #expect(deck.signal(.timeChanged(1100)).first == .tell(.time(position: 61.5)))
    }

    @Test func aStreamOfUnknownLengthThatBreaksIsNoEnd() throws {
        var facts = Self.film
        facts.duration = nil
        for (delay, isFailure) in [(1.0, true), (60.0, false)] {
            var deck = Deck(facts, url: try #require(URL(string: "http://host/live")))
            deck.open()
            deck.signal(.logged(VLCLogLine(module: "http", message: "connection failed: Connection refused")))
            deck.wait(delay)
            guard case .tell(.failed(let error, _)) = deck.signal(.endReached).first else {
                #expect(!isFailure)
                continue
            }
            #expect(isFailure)
            #expect(error.code == .connectionRefused)
        }
    }

    @Test func aGuessedLengthIsNoReasonToFail() {
        var deck = Deck(Self.song)
        deck.signal(.demuxer("es"))
        deck.open()
        deck.play(4)
        #expect(deck.signal(.endReached) == [.tell(.durationChanged(4)), .tell(.ended(position: 4))])
    }

    @Test func aFailureToOpenHasTheReasonFromTheLog() throws {
        let url = try #require(URL(string: "http://host/a.mp4"))
        var deck = Deck(VLCMediaInfo(), url: url)
        deck.signal(.logged(VLCLogLine(module: "access", message: "HTTP 404 error")))
        deck.signal(.logged(VLCLogLine(module: "main", message: "Your input can't be opened")))
        guard case .tell(.failed(let error, _)) = deck.signal(.encounteredError).first else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == .httpStatus)
        #expect(error.httpStatus == 404)
    }

    @Test(arguments: [
        ("cannot resolve no-such-host.invalid: Name or service not known", PlaybackErrorCode.hostNotFound),
        ("connection failed: Connection refused", .connectionRefused),
        ("TLS session handshake error", .tlsFailed),
        ("HTTP connection failure", .connectionFailed),
        ("cannot open file /x (No such file or directory)", .fileNotFound),
        ("cannot open file /x (Permission denied)", .permissionDenied),
        ("VLC could not identify the audio or video codec", .unrecognisedFormat),
    ])
    func linesOfTheLogHaveTheirMeaning(message: String, code: PlaybackErrorCode) throws {
        let url = try #require(URL(string: "http://host/a.mp4"))
        var diagnosis = VLCLogErrorParser()
        #expect(diagnosis.error(for: url) == nil)
        diagnosis.add(VLCLogLine(module: "main", message: "unrelated"), at: .zero)
        diagnosis.add(VLCLogLine(module: "access", message: message), at: .seconds(1))
        #expect(diagnosis.error(for: url)?.code == code)
        #expect(diagnosis.error(for: url, since: .seconds(2)) == nil)
    }

    // MARK: Live streams

    /// A deck of a live stream whose playlist holds twenty seconds.
    private func liveDeck() throws -> Deck {
        var facts = Self.film
        facts.time = 14
        var deck = Deck(facts, url: try #require(URL(string: "http://host/live.m3u8")))
        #expect(deck.signal(.demuxer("adaptive")) == [.readPlaylist])
        let presentation = HLSTimeline(
            .init(targetDuration: 2, firstNumber: 0, durations: Array(repeating: 2, count: 10)))
        #expect(deck.open().isEmpty, "it is not known yet what this is")
        let actions = deck.signal(.presentation(presentation))
        guard case .tell(.opened(let media))? = actions.dropFirst().first else {
            Issue.record("not opened: \(actions)")
            return deck
        }
        #expect(media.playbackType == .live)
        #expect(media.duration == nil)
        #expect(media.dvrWindow == DVRWindow(start: 0, end: 20))
        #expect(media.position == 14)
        return deck
    }

    @Test func aLiveStreamIsToldWithItsWindow() throws {
        var deck = try liveDeck()
        #expect(deck.signal(.lengthChanged(20000)).isEmpty, "that is the window's")
        var moved = HLSTimeline(.init(targetDuration: 2, firstNumber: 0, durations: Array(repeating: 2, count: 10)))
        moved.update(.init(targetDuration: 2, firstNumber: 1, durations: Array(repeating: 2, count: 10)))
        #expect(deck.signal(.presentation(moved)) == [.tell(.dvrWindowChanged(DVRWindow(start: 2, end: 22)))])
        #expect(deck.signal(.presentation(moved)).isEmpty)
    }

    @Test func aStreamThatPlaysOnFarBehindItsEndHasEnded() throws {
        var deck = Deck(Self.film, url: try #require(URL(string: "http://host/a.m3u8")))
        deck.signal(.demuxer("adaptive"))
        deck.open()
        var presentation = HLSPlaylist.Segments(targetDuration: 5, durations: [5, 5])
        presentation.isComplete = true
        deck.signal(.presentation(HLSTimeline(presentation)))
        deck.play(14.75)
        deck.wait(0.5)
        #expect(deck.signal(.timeChanged(15_250)) == [.tell(.ended(position: 10))])
    }

    /// libVLC has read a short stream to its end before it says how long that is.
    @Test func aStreamIsAsLongAsItsPlaylistSays() throws {
        var facts = Self.film
        facts.duration = nil
        var deck = Deck(facts, url: try #require(URL(string: "http://host/a.m3u8")))
        deck.signal(.demuxer("adaptive"))
        deck.open()
        var presentation = HLSPlaylist.Segments(targetDuration: 1, durations: [1, 1])
        presentation.isComplete = true
        let opening = deck.signal(.presentation(HLSTimeline(presentation)))
        guard case .tell(.opened(let media))? = opening.dropFirst().first else {
            Issue.record("not opened: \(opening)")
            return
        }
        #expect(media.duration == 2)
        deck.play(0.5)
        #expect(deck.signal(.endReached).contains(.awaitEnd(1.5)))
        #expect(deck.interpreter.drained() == [.tell(.ended(position: 2))])
    }

    /// libVLC has a decoder for what the playlist says is in the segments, and none of these.
    @Test func aStreamOfWhichNoSegmentCanBeHadIsNeverOpen() throws {
        var facts = Self.film
        facts.duration = nil
        let url = try #require(URL(string: "http://host/a.m3u8"))
        var deck = Deck(facts, url: url)
        deck.signal(.demuxer("adaptive"))
        var presentation = HLSPlaylist.Segments(targetDuration: 1, durations: [1, 1])
        presentation.isComplete = true
        deck.signal(.presentation(HLSTimeline(presentation)))
        deck.signal(.streamAdded(1, .audio))
        deck.signal(.streamSelected(1, .audio))
        let error = PlaybackError(.addressForbidden, url: url)
        _ = deck.interpreter.readingEnded(error)
        #expect(deck.signal(.endReached) == [.tell(.failed(error, position: 0))])
    }

    @Test func aPlaylistThatCannotBeHadHoldsNothingUp() throws {
        var deck = Deck(Self.film, url: try #require(URL(string: "http://host/a.m3u8")))
        deck.signal(.demuxer("adaptive"))
        #expect(deck.open().isEmpty)
        #expect(deck.signal(.presentation(nil)).contains(.tell(.playing(position: 0))))
    }

    @Test func seeksInALiveStreamGoByItsWindow() throws {
        var deck = try liveDeck()
        #expect(deck.interpreter.seek(to: 5, at: deck.now).first == .seek(.window(5)))
        #expect(deck.interpreter.seek(to: 25, at: deck.now).first == .seek(.window(20)))
    }

    /// A live deck that was paused at 15 seconds.
    private func pausedDeck() throws -> Deck {
        var deck = try liveDeck()
        deck.wait(1)
        #expect(deck.interpreter.pause(at: deck.now) == [.pause])
        deck.signal(.paused)
        return deck
    }

    /// The same, three seconds later, when it is to play again.
    private func resumedDeck() throws -> Deck {
        var deck = try pausedDeck()
        deck.wait(3)
        #expect(deck.interpreter.play(at: deck.now).first == .resume)
        #expect(deck.signal(.playing).isEmpty, "it is at the edge now, which nobody shall see")
        deck.wait(0.1)
        return deck
    }

    @Test func aLiveStreamIsSentBackToWhereItWasPausedUntold() throws {
        var deck = try resumedDeck()
        #expect(deck.signal(.buffering(100)).contains(.seek(.windowBeforePause(15))))
        deck.wait(0.1)
        deck.signal(.buffering(0))
        #expect(deck.signal(.timeChanged(19000)).isEmpty)
        let done = deck.signal(.buffering(100))
        #expect(done.contains(.tell(.playing(position: 15))))
        #expect(!done.contains { if case .tell(.seeked) = $0 { true } else { false } })
    }

    /// The buffers that fill are those of the edge, to which libVLC goes by itself: the seek was lost.
    @Test func aLiveStreamThatIsAtItsEdgeAllTheSameIsSentBackAgainAndNotForEver() throws {
        var deck = try resumedDeck()
        var isSent = deck.signal(.buffering(100)).contains(.seek(.windowBeforePause(15)))
        for _ in 1...VLCStateMachine.silentSeekAttempts {
            #expect(isSent)
            deck.wait(0.1)
            deck.signal(.buffering(0))
            deck.signal(.buffering(100))
            deck.wait(0.1)
            guard case .seek(.window(let place))? = deck.signal(.timeChanged(19000)).first else {
                isSent = false
                continue
            }
            #expect(abs(place - 15) < 1)
        }
        #expect(!isSent, "it is told where it is")
    }

    @Test func aSeekInALiveStreamThatGoesOnIsMadeFromItsEdge() throws {
        var deck = try resumedDeck()
        #expect(deck.interpreter.seek(to: 5, at: deck.now).isEmpty, "it would be lost now")
        deck.wait(0.1)
        deck.signal(.buffering(0))
        #expect(deck.signal(.buffering(100)).contains(.seek(.windowBeforePause(5))))
        deck.wait(0.1)
        deck.signal(.buffering(0))
        #expect(deck.signal(.buffering(100)).contains(.tell(.seeked(position: 5))))
    }

    @Test func aSeekInAPausedLiveStreamIsToldAlthoughItGoesOn() throws {
        var deck = try pausedDeck()
        #expect(deck.interpreter.seek(to: 5, at: deck.now).first == .seek(.window(5)))
        _ = deck.interpreter.play(at: deck.now)
        deck.signal(.playing)
        deck.wait(0.1)
        #expect(deck.signal(.buffering(100)).contains(.seek(.windowBeforePause(5))))
        deck.wait(0.1)
        deck.signal(.buffering(0))
        #expect(deck.signal(.buffering(100)).contains(.tell(.seeked(position: 5))))
    }

    /// libVLC of a stream that was joined again counts from somewhere else.
    @Test func aLiveStreamThatWasJoinedAgainIsSentBackOnce() throws {
        var deck = try resumedDeck()
        deck.interpreter.timeOffset = -30
        #expect(deck.signal(.buffering(100)).contains(.seek(.windowBeforePause(15))))
        deck.wait(0.1)
        deck.signal(.buffering(0))
        deck.signal(.buffering(100))
        deck.wait(0.1)
        let actions = deck.signal(.timeChanged(45100))
        #expect(!actions.contains { if case .seek = $0 { true } else { false } })
    }
}
