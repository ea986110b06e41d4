import Foundation
import Playback
import Testing

@testable import MediaTransport
@testable import VLCBackend

/// The reactions to libVLC's events, in the order that was measured.
@Suite struct VLCStateMachineTests {
    @Test func playingIsReportedWhenTheBuffersAreFull() {
        var driver = StateMachineDriver()
        driver.send(.streamSelected(0, .video))
        #expect(driver.send(.playing).isEmpty)
        #expect(driver.send(.buffering(50)).isEmpty)
        let actions = driver.send(.buffering(100))
        #expect(actions.first == .report(.buffered(.whole)))
        #expect(actions.suffix(2) == [.report(.playing(position: 0)), .watch(VLCStateMachine.watchInterval)])
    }

    @Test func anItemThatDoesNotPlayIsOpenedAndPaused() {
        var driver = StateMachineDriver(plays: false)
        driver.send(.streamSelected(1, .audio))
        #expect(driver.send(.playing) == [.pause])
        driver.send(.paused)
        let actions = driver.send(.buffering(100))
        #expect(!actions.contains(.report(.playing(position: 0))))
        #expect(!actions.contains(.pause), "it is paused already")
        #expect(driver.machine.play(at: driver.now) == [.resume])
        #expect(driver.send(.playing) == [.report(.playing(position: 0)), .watch(VLCStateMachine.watchInterval)])
    }

    @Test func garbageFails() {
        var driver = StateMachineDriver(VLCMediaInfo())
        driver.send(.playing)
        let actions = driver.send(.endReached)
        #expect(
            actions == [.report(.failed(PlaybackError(.unrecognisedFormat, url: driver.machine.url), position: 0))])
        #expect(driver.machine.isFinished)
        #expect(driver.send(.endReached).isEmpty)
    }

    @Test func anEarlyEndIsAFailureAtThePosition() {
        var driver = StateMachineDriver()
        driver.open()
        driver.play(5)
        guard case .report(.failed(let error, let position)) = driver.send(.endReached).first else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == .endedEarly)
        #expect(position == 5)
        #expect(error.message.contains("5.0 s of 10.0 s"))
    }

    /// libVLC has handed out the last packets, which are long in some formats.
    @Test func longPacketsEndEarly() {
        for (demuxer, isComplete) in [("avformat", true), ("flacsys", false)] {
            var driver = StateMachineDriver(StateMachineDriver.song)
            driver.send(.demuxer(demuxer))
            driver.open(showsVideo: false)
            driver.play(3)
            let actions = driver.send(.endReached)
            #expect(actions.contains(.awaitEnd(7)) == isComplete)
            #expect((driver.failure == nil) == isComplete)
        }
    }

    @Test func theEndIsReportedAfterTheLastAudio() {
        var driver = StateMachineDriver(StateMachineDriver.song)
        driver.open()
        driver.play(8.9)
        guard case .awaitEnd(let seconds) = driver.send(.endReached).last else {
            Issue.record("nothing is awaited")
            return
        }
        #expect(abs(seconds - 1.1) < 1e-9)
        driver.wait(1.1)
        #expect(driver.machine.drained() == [.report(.ended(position: 10))])
        #expect(driver.machine.drained().isEmpty)
    }

    /// A packet of some formats lasts several seconds.
    @Test func thePositionAdvancesToTheEndOfTheLastAudio() {
        var driver = StateMachineDriver(StateMachineDriver.song)
        driver.send(.demuxer("avformat"))
        driver.open(showsVideo: false)
        driver.play(4)
        #expect(driver.send(.endReached).contains(.awaitEnd(6)))
        for second in 5...9 {
            driver.check(after: 1)
            #expect(driver.actions.first == .report(.time(position: Double(second))))
        }
    }

    @Test func aPauseDuringTheLastAudioDelaysTheEnd() {
        var driver = StateMachineDriver(StateMachineDriver.song)
        driver.open()
        driver.play(9)
        driver.send(.endReached)
        driver.wait(0.5)
        #expect(driver.machine.pause(at: driver.now) == [.cancelAwaitingEnd, .report(.paused(position: 9.5))])
        #expect(driver.machine.drained().isEmpty)
        driver.wait(60)
        #expect(driver.machine.play(at: driver.now) == [.report(.playing(position: 9.5)), .awaitEnd(0.5)])
    }

    @Test func aSeekDuringTheLastAudioRestartsTheItem() {
        var driver = StateMachineDriver(StateMachineDriver.song)
        driver.open()
        driver.play(9)
        driver.send(.endReached)
        let seek = driver.machine.seek(to: 2, at: driver.now)
        #expect(seek.last == .restart(at: 2))
        let actions = driver.open()
        #expect(actions == [.report(.seeked(position: 2)), .report(.playing(position: 2))])
    }

    @Test func aRepeatedTargetDoesNotEndTheSeek() {
        var driver = StateMachineDriver()
        driver.open()
        driver.wait(0.1)
        #expect(driver.machine.seek(to: 7, at: driver.now) == [.seek(.time(7))])
        #expect(driver.send(.timeChanged(7000)).isEmpty)
        #expect(driver.send(.buffering(100)).isEmpty)
        driver.wait(0.1)
        #expect(driver.send(.buffering(0)).isEmpty)
        #expect(driver.send(.buffering(100)) == [.report(.seeked(position: 7)), .report(.playing(position: 7))])
    }

    @Test func missingDataStallPlaybackUntilTheyArrive() {
        var driver = StateMachineDriver()
        driver.open()
        driver.play(3)
        #expect(driver.send(.buffering(10)) == [.report(.stalled(position: 3))])
        driver.wait(2)
        #expect(driver.send(.buffering(60)).isEmpty)
        #expect(driver.send(.buffering(100)) == [.report(.playing(position: 3))])
    }

    @Test func aVideoWithoutAudioIsDecodedWithoutAnOutput() {
        var facts = StateMachineDriver.film
        facts.streams.removeAll { $0.kind == .audio }
        var driver = StateMachineDriver(facts, showsVideo: false)
        let actions = driver.open()
        #expect(actions.contains(.report(.playing(position: 0))))
        #expect(!actions.contains(.selectVideo(nil)))
    }

    @Test(arguments: [("mp4", 0), ("ts", 1), ("mkv", 1), ("adaptive", 1)])
    func anOutputThatIsSetDuringPlaybackMayStayEmptyForAWhile(demuxer: String, notices: Int) {
        var driver = StateMachineDriver(showsVideo: false)
        driver.send(.demuxer(demuxer))
        driver.open(showsVideo: false)
        driver.play(1)
        let actions = driver.machine.setVideoVisible(true)
        #expect(actions.contains(.selectVideo(0)))
        #expect(actions.count { $0 == .report(.notice(VideoOutputStatus.lateFrameNotice)) } == notices)
    }

    @Test func aPausedItemShowsAFrameInANewOutputAtOnce() {
        var driver = StateMachineDriver(plays: false, showsVideo: false)
        driver.send(.demuxer("ts"))
        driver.open(showsVideo: false)
        let actions = driver.machine.setVideoVisible(true)
        #expect(actions == [.selectVideo(0)])
    }

    @Test func unusableSubtitlesLeaveTheHiddenVideoInTheList() {
        let file = ExternalSubtitle(url: URL(filePath: "/a.srt"), name: "A")
        var tracks = VLCTrackSelection(subtitles: [file], showsVideo: true)
        tracks.update(StateMachineDriver.film.streams)
        for stream in StateMachineDriver.film.streams {
            _ = tracks.added(stream.id, stream.kind)
            tracks.selected(stream.id, stream.kind)
        }
        tracks.update(StateMachineDriver.film.streams)
        #expect(tracks.open().tracks.video.map(\.id) == [0])
        #expect(tracks.setVideoVisible(false, isOpen: true) == [.selectVideo(nil)])
        // libVLC forgets a deselected video in some formats.
        _ = tracks.removed(0)
        tracks.update([StateMachineDriver.film.streams[1]])
        _ = tracks.settle()
        let notice = PlaybackNotice(code: "subtitleUnavailable", message: "")
        let lists = tracks.subtitlesUnusable(VLCTrackCatalog.firstExternalID, notice).compactMap { action in
            if case .report(.tracksChanged(let tracks)) = action { tracks } else { nil }
        }
        #expect(lists.map(\.subtitles.isEmpty) == [true])
        #expect(lists.map { $0.video.map(\.id) } == [[0]])
    }

    @Test func aVideoWithoutAnOutputIsDeselectedIfThereIsAudio() {
        var driver = StateMachineDriver(showsVideo: false)
        driver.send(.streamAdded(0, .video))
        driver.send(.streamAdded(1, .audio))
        #expect(driver.send(.streamSelected(0, .video)).isEmpty)
        #expect(driver.send(.streamSelected(1, .audio)) == [.selectVideo(nil)])
        #expect(driver.machine.setVideoVisible(true) == [.selectVideo(0)])
    }

    /// libVLC selects the video of the next variant only if it decodes that of the last one.
    @Test func anOutputShowsTheVideoOfAVariantThatWasChangedBefore() {
        var driver = StateMachineDriver(showsVideo: false)
        driver.open(showsVideo: false)
        #expect(driver.send(.streamAdded(4, .video)).isEmpty)
        #expect(driver.send(.streamRemoved(0)).isEmpty)
        #expect(driver.machine.setVideoVisible(true).contains(.selectVideo(4)))
    }

    @Test func anOutputShowsTheVideoOfAVariantThatIsChangedAtThatMoment() {
        var driver = StateMachineDriver(showsVideo: false)
        driver.open(showsVideo: false)
        driver.send(.streamAdded(4, .video))
        #expect(driver.machine.setVideoVisible(true).contains(.selectVideo(0)))
        #expect(driver.send(.streamRemoved(0)) == [.selectVideo(4)])
        #expect(driver.send(.streamSelected(4, .video)).isEmpty)
        // libVLC has selected the old video, and not the new one.
        driver.send(.streamAdded(6, .video))
        #expect(driver.send(.streamRemoved(4)) == [.selectVideo(6)])
    }

    @Test func anOutputBeforeAPauseReceivesItsFrameAfterIt() {
        var driver = StateMachineDriver()
        driver.open()
        driver.play(2)
        #expect(driver.machine.pause(at: driver.now) == [.pause])
        #expect(driver.machine.setVideoVisible(true, lacksFrame: true).isEmpty)
        #expect(driver.send(.paused).contains(.drawFrame))
        #expect(!driver.send(.paused).contains(.drawFrame))
    }

    @Test func anotherOutputOfAPausedItemReceivesItsFrame() {
        var driver = StateMachineDriver(plays: false)
        driver.open()
        #expect(driver.machine.setVideoVisible(true, lacksFrame: true).contains(.drawFrame))
        #expect(driver.send(.paused).isEmpty, "the pause is that before the drawing")
        #expect(driver.send(.playing).isEmpty)
        #expect(driver.send(.frameDrawn) == [.pause])
        #expect(driver.send(.frameDrawn).isEmpty)
        #expect(driver.send(.paused).starts(with: [.restoreMuting, .seek(.time(0))]))
        driver.wait(0.1)
        #expect(driver.send(.buffering(0)).isEmpty)
        #expect(driver.send(.buffering(100)) == [.awaitFrame(0.5)], "the player does not know of it")
        #expect(driver.machine.play(at: driver.now).first == .resume)
    }

    @Test func playEndsTheDrawingOfAFrame() {
        var driver = StateMachineDriver(plays: false)
        driver.open()
        #expect(driver.machine.setVideoVisible(true, lacksFrame: true).contains(.drawFrame))
        let actions = driver.machine.play(at: driver.now)
        #expect(actions.starts(with: [.restoreMuting, .resume, .report(.playing(position: 0))]))
        #expect(driver.send(.frameDrawn).isEmpty)
    }

    @Test func aSeekDuringTheDrawingOfAFrameIsTheLastOne() {
        var driver = StateMachineDriver(plays: false)
        driver.open()
        #expect(driver.machine.setVideoVisible(true, lacksFrame: true).contains(.drawFrame))
        driver.send(.playing)
        #expect(driver.machine.seek(to: 3, at: driver.now).contains(.seek(.time(3))))
        #expect(driver.send(.frameDrawn) == [.pause])
        #expect(driver.send(.paused) == [.restoreMuting])
        driver.wait(0.1)
        driver.send(.buffering(0))
        #expect(driver.send(.buffering(100)).starts(with: [.report(.seeked(position: 3))]))
    }

    @Test func videoWithoutFramesIsDrawnForAShortTimeOnly() {
        var driver = StateMachineDriver(plays: false)
        driver.open()
        #expect(driver.machine.setVideoVisible(true, lacksFrame: true).contains(.drawFrame))
        #expect(driver.send(.timeChanged(400)).isEmpty)
        #expect(driver.send(.timeChanged(600)) == [.pause])
    }

    @Test func anItemThatEndsWhileAFrameIsDrawnOpensAgain() {
        var driver = StateMachineDriver(plays: false)
        driver.open()
        #expect(driver.machine.setVideoVisible(true, lacksFrame: true).contains(.drawFrame))
        #expect(driver.send(.endReached) == [.restart(at: 0)])
    }

    @Test func anOutputDuringAPausedSeekReceivesItsFrameAfterIt() {
        var driver = StateMachineDriver(plays: false)
        driver.open()
        #expect(driver.machine.seek(to: 3, at: driver.now).contains(.seek(.time(3))))
        #expect(driver.machine.setVideoVisible(true, lacksFrame: true).isEmpty)
        driver.wait(0.1)
        driver.send(.buffering(0))
        #expect(driver.send(.buffering(100)).contains(.drawFrame))
    }

    @Test func aPausedItemWithoutAFrameDrawsItAgainAfterLongerAndLongerTimes() {
        var driver = StateMachineDriver(plays: false)
        driver.open()
        _ = driver.machine.seek(to: 3, at: driver.now)
        for time in [0.5, 1, 2, 4, 8, 16, 32] {
            driver.wait(0.1)
            driver.send(.buffering(0))
            #expect(driver.send(.buffering(100)).contains(.awaitFrame(time)))
            #expect(driver.machine.frameMissing() == [.drawFrame])
            driver.send(.frameDrawn)
            #expect(driver.send(.paused).contains(.seek(.time(3))))
        }
        driver.wait(0.1)
        driver.send(.buffering(0))
        #expect(driver.send(.buffering(100)).contains(.awaitFrame(64)))
        #expect(driver.machine.frameMissing().isEmpty)
        #expect(driver.machine.play(at: driver.now).first == .resume)
        #expect(driver.machine.frameMissing().isEmpty, "it plays")
    }

    @Test func aStreamThatDoesNotPlayIsPausedOnceItIsOpen() {
        var driver = StateMachineDriver(plays: false)
        driver.send(.streamSelected(1, .audio))
        #expect(driver.send(.playing) == [.pause])
        #expect(driver.send(.buffering(100)).last == .pause, "the engine did not hold it the first time")
        #expect(driver.machine.closedForPause(at: driver.now) == [.report(.paused(position: 0))])
        #expect(driver.machine.play(at: driver.now) == [.resume, .watch(VLCStateMachine.watchInterval)])
        #expect(driver.open() == [.report(.playing(position: 0))])
    }

    @Test func aPauseBeforeTheLastAudioDelaysTheEnd() {
        var driver = StateMachineDriver(StateMachineDriver.song)
        driver.open()
        driver.play(9)
        #expect(driver.machine.pause(at: driver.now) == [.pause])
        #expect(driver.send(.endReached).isEmpty)
        #expect(driver.machine.drained().isEmpty)
        #expect(!driver.machine.isFinished)
        #expect(driver.machine.play(at: driver.now).last == .awaitEnd(1))
    }

    @Test func aMissingWindowIsReportedOnceAndALateOneNever() {
        for (outputs, notices) in [(0, 1), (1, 0)] {
            var driver = StateMachineDriver()
            driver.send(.logged(VLCLogLine(module: "main", message: "video output creation failed")))
            driver.open()
            driver.send(.logged(VLCLogLine(module: "main", message: "video output creation failed")))
            driver.send(.videoOutputs(outputs))
            driver.wait(0.5)
            let actions = driver.send(.timeChanged(500)) + driver.send(.timeChanged(750))
            #expect(actions.count == 2 + notices)
        }
    }

    @Test func missingFramesAreReportedOnceAndTheAudioContinues() {
        var driver = StateMachineDriver()
        driver.open(showsVideo: false)
        driver.play(7.5)
        let notices = (0..<7).flatMap { _ in driver.play(0.25) }.compactMap { action in
            if case .report(.notice(let notice)) = action { notice.code } else { nil }
        }
        #expect(notices == ["noVideo"])
        #expect(driver.send(.endReached).contains { if case .awaitEnd = $0 { true } else { false } }, "it is whole")
    }

    @Test func framesOfAHiddenVideoAreNotMissed() {
        var driver = StateMachineDriver()
        _ = driver.machine.setVideoVisible(false)
        driver.open(showsVideo: false)
        driver.play(9)
        _ = driver.machine.setVideoVisible(true)
        #expect(!driver.play(0.5).contains { if case .report(.notice) = $0 { true } else { false } })
    }

    @Test func aPauseThatIsRevokedInTimeHasNoEffect() {
        var driver = StateMachineDriver()
        driver.open()
        driver.wait(1)
        #expect(driver.machine.pause(at: driver.now) == [.pause])
        #expect(driver.machine.play(at: driver.now) == [.resume, .report(.playing(position: 1))])
        #expect(driver.send(.paused) == [.resume], "the pause came through after all")
        #expect(driver.send(.playing).first == .report(.playing(position: 1)))
    }

    @Test func anEngineWithoutTimesHasStalled() {
        var driver = StateMachineDriver()
        #expect(driver.open().last == .watch(VLCStateMachine.watchInterval))
        driver.wait(1)
        driver.send(.timeChanged(1000))
        driver.wait(0.5)
        #expect(driver.machine.checkProgress(at: driver.now) == [.watch(VLCStateMachine.watchInterval)])
        driver.wait(1)
        #expect(driver.machine.checkProgress(at: driver.now) == [.report(.stalled(position: 2.5))])
        driver.wait(60)
        #expect(driver.machine.checkProgress(at: driver.now).isEmpty)
        #expect(driver.send(.timeChanged(1200)).first == .report(.playing(position: 2.5)))
    }

    @Test func anEndAfterAStallIsComparedWithThePlayedPosition() {
        var driver = StateMachineDriver()
        driver.open()
        driver.wait(4)
        driver.send(.timeChanged(4000))
        driver.wait(30)
        guard case .report(.failed(let error, let position)) = driver.send(.endReached).first else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == .endedEarly)
        #expect(position == 5.5)
    }

    /// libVLC has read the whole track ahead, and plays it without another time.
    @Test func anMP4FileContinuesAfterItsLastByte() {
        var driver = StateMachineDriver(
            VLCMediaInfo(duration: 14, isSeekable: true, streams: [VLCTrack(id: 0, kind: .audio)]))
        driver.send(.demuxer("mp4"))
        driver.open(showsVideo: false)
        driver.play(1)
        driver.machine.player.hasReadAll = true
        func next(after seconds: Double = 1) -> [VLCStateMachine.Action] {
            driver.wait(seconds)
            return driver.send(.timeChanged(1000))
        }
        for second in 2...6 { #expect(next() == [.report(.time(position: Double(second)))]) }
        // A pause, and a time in which the process does not run.
        _ = driver.machine.pause(at: driver.now)
        driver.send(.paused)
        _ = driver.machine.play(at: driver.now)
        driver.send(.playing)
        #expect(next() == [.report(.time(position: 7))])
        driver.check(after: 60)
        #expect(driver.actions.first == .report(.stalled(position: 8.5)))
        #expect(next(after: 0.1).first == .report(.playing(position: 8.5)))
        for second in 1...5 { #expect(next() == [.report(.time(position: 8.5 + Double(second)))]) }
        // The end does not come.
        let isStalled = (1...16).contains { _ in
            next().contains { if case .report(.stalled) = $0 { true } else { false } }
        }
        #expect(isStalled)
    }

    @Test func aSeekWithoutASignIsSentAgainAndThenFails() {
        var driver = StateMachineDriver()
        driver.open()
        driver.play(1)
        let watch = StateMachineDriver.Action.watch(VLCStateMachine.watchInterval)
        #expect(driver.machine.seek(to: 7, at: driver.now) == [.seek(.time(7))], "the item is watched already")
        for _ in 2...VLCStateMachine.seekAttempts {
            driver.check(after: 0.5)
            #expect(driver.actions == [watch])
            driver.check(after: 0.5)
            #expect(driver.actions == [.seek(.time(7)), watch])
        }
        driver.check(after: 4)
        #expect(driver.actions == [watch])
        driver.check(after: 2)
        #expect(driver.actions.prefix(2) == [.report(.seekFailed(position: 1)), .report(.playing(position: 1))])
    }

    @Test func aSeekWaitsForThePauseBeforeIt() {
        var driver = StateMachineDriver()
        driver.open()
        driver.play(1)
        #expect(driver.machine.pause(at: driver.now) == [.pause])
        #expect(driver.machine.seek(to: 7, at: driver.now).first == .seek(.time(7)))
        for _ in 1...20 {
            driver.check(after: 1)
            #expect(driver.actions == [.watch(VLCStateMachine.watchInterval)])
        }
        #expect(driver.send(.paused).isEmpty)
        driver.wait(0.5)
        driver.send(.buffering(0))
        #expect(driver.send(.buffering(100)).first == .report(.seeked(position: 7)))
    }

    /// libVLC sends no more events, because no more data follow.
    @Test func aPausedItemReachesATargetCloseToItsEnd() {
        var driver = StateMachineDriver(plays: false)
        driver.open()
        driver.send(.paused)
        _ = driver.machine.seek(to: 9.8, at: driver.now)
        driver.wait(0.1)
        driver.send(.buffering(0))
        driver.send(.buffering(40))
        driver.check(after: 0.4)
        #expect(driver.actions == [.watch(VLCStateMachine.watchInterval)])
        driver.check(after: 0.1)
        #expect(driver.actions.first == .report(.seeked(position: 9.8)))
        #expect(driver.machine.play(at: driver.now) == [.resume])
        driver.send(.playing)
        #expect(driver.send(.buffering(100)).contains(.report(.playing(position: 9.8))))
    }

    @Test func aPausedItemWaitsForDataFarFromItsEnd() {
        var driver = StateMachineDriver(plays: false)
        driver.open()
        driver.send(.paused)
        _ = driver.machine.seek(to: 7, at: driver.now)
        driver.wait(0.1)
        driver.send(.buffering(40))
        driver.check(after: 4)
        #expect(driver.actions == [.watch(VLCStateMachine.watchInterval)])
    }

    @Test func buffersThatFilledBeforeASeekDoNotEndIt() {
        var driver = StateMachineDriver()
        driver.open()
        driver.wait(1)
        let before = driver.now
        driver.wait(1)
        _ = driver.machine.seek(to: 7, at: driver.now)
        let late = driver.now
        driver.now = before
        #expect(driver.send(.buffering(30)).isEmpty)
        #expect(driver.send(.buffering(100)).isEmpty)
        driver.now = late + .milliseconds(1)
        #expect(driver.send(.buffering(0)).isEmpty)
        #expect(driver.send(.buffering(100)).first == .report(.seeked(position: 7)))
    }

    @Test func aRejoinedStreamContinuesAtItsPosition() {
        var facts = StateMachineDriver.film
        facts.duration = nil
        var driver = StateMachineDriver(facts)
        driver.open()
        for second in 1...60 {
            driver.wait(1)
            driver.send(.timeChanged(Int64(second) * 1000))
        }
        _ = driver.machine.pause(at: driver.now)
        #expect(driver.machine.closedForPause(at: driver.now) == [.report(.paused(position: 60))])
        #expect(driver.machine.play(at: driver.now) == [.resume])
        #expect(driver.open().first == .report(.playing(position: 60)))
        driver.wait(0.5)
        #expect(driver.send(.timeChanged(100)).first == .report(.time(position: 60.5)))
        driver.wait(1)
        #expect(driver.send(.timeChanged(1100)).first == .report(.time(position: 61.5)))
    }

    /// A sender that is silent after a pause must not be awaited forever.
    @Test func aStreamThatDoesNotReturnAfterAPauseFails() throws {
        var facts = StateMachineDriver.film
        facts.duration = nil
        var driver = StateMachineDriver(facts, url: try #require(URL(string: "udp://127.0.0.1:9000")))
        driver.open()
        driver.play(4)
        _ = driver.machine.pause(at: driver.now)
        _ = driver.machine.closedForPause(at: driver.now)
        driver.wait(60)
        #expect(driver.machine.play(at: driver.now) == [.resume])
        driver.check(after: 9)
        #expect(driver.failure == nil)
        driver.check(after: 9)
        #expect(driver.failure?.code == .timedOut)
    }

    @Test func aBrokenStreamWithoutADurationFails() throws {
        var facts = StateMachineDriver.film
        facts.duration = nil
        for (delay, isFailure) in [(1.0, true), (60.0, false)] {
            var driver = StateMachineDriver(facts, url: try #require(URL(string: "http://host/live")))
            driver.open()
            driver.send(.logged(VLCLogLine(module: "http", message: "connection failed: Connection refused")))
            driver.wait(delay)
            guard case .report(.failed(let error, _)) = driver.send(.endReached).first else {
                #expect(!isFailure)
                continue
            }
            #expect(isFailure)
            #expect(error.code == .connectionRefused)
        }
    }

    @Test func anEstimatedDurationIsNoReasonToFail() {
        var driver = StateMachineDriver(StateMachineDriver.song)
        driver.send(.demuxer("es"))
        driver.open()
        driver.play(4)
        #expect(driver.send(.endReached) == [.report(.durationChanged(4)), .awaitEnd(0)])
        driver.wait(0.5)
        #expect(driver.machine.drained() == [.report(.ended(position: 4))])
    }

    @Test func aFailureToOpenHasTheReasonFromTheLog() throws {
        let url = try #require(URL(string: "http://host/a.mp4"))
        var driver = StateMachineDriver(VLCMediaInfo(), url: url)
        driver.send(.logged(VLCLogLine(module: "access", message: "HTTP 404 error")))
        driver.send(.logged(VLCLogLine(module: "main", message: "Your input can't be opened")))
        guard case .report(.failed(let error, _)) = driver.send(.encounteredError).first else {
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
    func linesOfTheLogHaveErrorCodes(message: String, code: PlaybackErrorCode) throws {
        let url = try #require(URL(string: "http://host/a.mp4"))
        var parser = VLCLogErrorParser()
        #expect(parser.error(for: url) == nil)
        parser.add(VLCLogLine(module: "main", message: "unrelated"), at: .zero)
        parser.add(VLCLogLine(module: "access", message: message), at: .seconds(1))
        #expect(parser.error(for: url)?.code == code)
        #expect(parser.error(for: url, since: .seconds(2)) == nil)
    }

    // MARK: Live streams

    /// A playlist of segments that last this long, in seconds.
    private func playlist(
        of count: Int, lasting duration: Int, from number: Int = 0, _ end: String = ""
    ) throws -> HLSPlaylist.Media {
        let segments = (number..<number + count).map { "#EXTINF:\(duration),\n\($0).ts\n" }.joined()
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:\(duration)\n#EXT-X-MEDIA-SEQUENCE:\(number)\n"
        let url = try #require(URL(string: "http://host/media.m3u8"))
        guard case .media(let media)? = HLSPlaylist(head + segments + end, url: url) else {
            throw PlaybackError(.noPlayableStream, url: url)
        }
        return media
    }

    /// A live stream with a playlist of twenty seconds.
    private func liveDriver() throws -> StateMachineDriver {
        var facts = StateMachineDriver.film
        facts.time = 14
        var driver = StateMachineDriver(facts, url: try #require(URL(string: "http://host/live.m3u8")))
        #expect(driver.send(.demuxer("adaptive")) == [.readPlaylist])
        let presentation = HLSTimeline(try playlist(of: 10, lasting: 2))
        #expect(driver.open().isEmpty, "the type of the stream is not known yet")
        let actions = driver.send(.presentation(presentation))
        guard case .report(.opened(let media))? = actions.dropFirst().first else {
            Issue.record("not opened: \(actions)")
            return driver
        }
        #expect(media.playbackType == .live)
        #expect(media.duration == nil)
        #expect(media.dvrWindow == DVRWindow(start: 0, end: 20))
        #expect(media.position == 14)
        return driver
    }

    /// libVLC reports it for MPEG-TS whose times jump back.
    @Test func anImpossibleLengthIsNoDuration() {
        #expect(VLCMediaInfo.duration(milliseconds: 18_446_744_073_613_530) == nil)
        #expect(VLCMediaInfo.duration(milliseconds: 0) == nil)
        #expect(VLCMediaInfo.duration(milliseconds: 20000) == 20)
    }

    @Test func aLiveStreamIsReportedWithItsWindow() throws {
        var driver = try liveDriver()
        #expect(driver.send(.lengthChanged(20000)).isEmpty, "it is the length of the window")
        var moved = HLSTimeline(try playlist(of: 10, lasting: 2))
        moved.update(try playlist(of: 10, lasting: 2, from: 1))
        #expect(driver.send(.presentation(moved)) == [.report(.dvrWindowChanged(DVRWindow(start: 2, end: 22)))])
        #expect(driver.send(.presentation(moved)).isEmpty)
    }

    @Test func theMarksOfAStreamAreReportedWhenTheyChange() throws {
        var driver = try liveDriver()
        var playlist = try playlist(of: 10, lasting: 2)
        var timeline = HLSTimeline(playlist)
        playlist.markers = [StreamMarker(id: "out 1", kind: .cueOut, start: 4)]
        timeline.update(playlist)
        #expect(driver.send(.presentation(timeline)) == [.report(.markersChanged(playlist.markers))])
        #expect(driver.send(.presentation(timeline)).isEmpty)
    }

    @Test func aStreamThatPlaysFarBeyondItsEndHasEnded() throws {
        var driver = StateMachineDriver(url: try #require(URL(string: "http://host/a.m3u8")))
        driver.send(.demuxer("adaptive"))
        driver.open()
        let presentation = try playlist(of: 2, lasting: 5, "#EXT-X-ENDLIST")
        driver.send(.presentation(HLSTimeline(presentation)))
        driver.play(14.75)
        driver.wait(0.5)
        #expect(driver.send(.timeChanged(15_250)) == [.report(.ended(position: 10))])
    }

    /// A busy machine may report the end long before the playhead is there.
    @Test func aLocalStreamOfWhichAllSegmentsWereReadIsComplete() {
        var driver = StateMachineDriver(url: URL(filePath: "/media/a.mpd"))
        driver.send(.demuxer("adaptive"))
        driver.open()
        driver.play(5)
        driver.machine.readingEnded(nil)
        #expect(driver.send(.endReached).contains(.awaitEnd(5)))
        #expect(driver.machine.drained() == [.report(.ended(position: 10))])
    }

    /// libVLC reads a short stream to its end before it reports the duration.
    @Test func aStreamHasTheDurationOfItsPlaylist() throws {
        var facts = StateMachineDriver.film
        facts.duration = nil
        var driver = StateMachineDriver(facts, url: try #require(URL(string: "http://host/a.m3u8")))
        driver.send(.demuxer("adaptive"))
        driver.open()
        let presentation = try playlist(of: 2, lasting: 1, "#EXT-X-ENDLIST")
        let opening = driver.send(.presentation(HLSTimeline(presentation)))
        guard case .report(.opened(let media))? = opening.dropFirst().first else {
            Issue.record("not opened: \(opening)")
            return
        }
        #expect(media.duration == 2)
        driver.play(0.5)
        #expect(driver.send(.endReached).contains(.awaitEnd(1.5)))
        #expect(driver.machine.drained() == [.report(.ended(position: 2))])
    }

    /// libVLC has a decoder for the codecs of the playlist, but no segment.
    @Test func aStreamWithoutASegmentNeverOpens() throws {
        var facts = StateMachineDriver.film
        facts.duration = nil
        let url = try #require(URL(string: "http://host/a.m3u8"))
        var driver = StateMachineDriver(facts, url: url)
        driver.send(.demuxer("adaptive"))
        let presentation = try playlist(of: 2, lasting: 1, "#EXT-X-ENDLIST")
        driver.send(.presentation(HLSTimeline(presentation)))
        driver.send(.streamAdded(1, .audio))
        driver.send(.streamSelected(1, .audio))
        let error = PlaybackError(.addressForbidden, url: url)
        driver.machine.readingEnded(error)
        #expect(driver.send(.endReached) == [.report(.failed(error, position: 0))])
    }

    @Test func anUnreadablePlaylistDelaysNothing() throws {
        var driver = StateMachineDriver(url: try #require(URL(string: "http://host/a.m3u8")))
        driver.send(.demuxer("adaptive"))
        #expect(driver.open().isEmpty)
        #expect(driver.send(.presentation(nil)).contains(.report(.playing(position: 0))))
    }

    @Test func seeksInALiveStreamUseItsWindow() throws {
        var driver = try liveDriver()
        #expect(driver.machine.seek(to: 5, at: driver.now).first == .seek(.window(5)))
        #expect(driver.machine.seek(to: 25, at: driver.now).first == .seek(.window(20)))
    }

    /// A live stream that was paused at 15 seconds.
    private func pausedDriver() throws -> StateMachineDriver {
        var driver = try liveDriver()
        driver.wait(1)
        #expect(driver.machine.pause(at: driver.now) == [.pause])
        driver.send(.paused)
        return driver
    }

    /// The same three seconds later, directly after `play`.
    private func resumedDriver() throws -> StateMachineDriver {
        var driver = try pausedDriver()
        driver.wait(3)
        #expect(driver.machine.play(at: driver.now).first == .resume)
        #expect(driver.send(.playing).isEmpty, "it is at the live edge, which is not reported")
        driver.wait(0.1)
        return driver
    }

    @Test func aResumedLiveStreamReturnsToItsPositionSilently() throws {
        var driver = try resumedDriver()
        #expect(driver.send(.buffering(100)).contains(.seek(.windowBeforePause(15))))
        driver.wait(0.1)
        driver.send(.buffering(0))
        #expect(driver.send(.timeChanged(19000)).isEmpty)
        let done = driver.send(.buffering(100))
        #expect(done.contains(.report(.playing(position: 15))))
        #expect(!done.contains { if case .report(.seeked) = $0 { true } else { false } })
    }

    /// libVLC fills the buffers at the live edge: the seek was lost.
    @Test func aLostReturnFromTheLiveEdgeIsRepeatedThreeTimes() throws {
        var driver = try resumedDriver()
        var isSent = driver.send(.buffering(100)).contains(.seek(.windowBeforePause(15)))
        for _ in 1...VLCStateMachine.seekAttempts {
            #expect(isSent)
            driver.wait(0.1)
            driver.send(.buffering(0))
            driver.send(.buffering(100))
            driver.wait(0.1)
            guard case .seek(.window(let place))? = driver.send(.timeChanged(19000)).first else {
                isSent = false
                continue
            }
            #expect(abs(place - 15) < 1)
        }
        #expect(!isSent, "its position is reported")
    }

    @Test func aSeekInAResumingLiveStreamStartsAtItsEdge() throws {
        var driver = try resumedDriver()
        #expect(driver.machine.seek(to: 5, at: driver.now).isEmpty, "it would be lost now")
        driver.wait(0.1)
        driver.send(.buffering(0))
        #expect(driver.send(.buffering(100)).contains(.seek(.windowBeforePause(5))))
        driver.wait(0.1)
        driver.send(.buffering(0))
        #expect(driver.send(.buffering(100)).contains(.report(.seeked(position: 5))))
    }

    @Test func aSeekInAPausedLiveStreamIsReportedAfterItResumes() throws {
        var driver = try pausedDriver()
        #expect(driver.machine.seek(to: 5, at: driver.now).first == .seek(.window(5)))
        _ = driver.machine.play(at: driver.now)
        driver.send(.playing)
        driver.wait(0.1)
        #expect(driver.send(.buffering(100)).contains(.seek(.windowBeforePause(5))))
        driver.wait(0.1)
        driver.send(.buffering(0))
        #expect(driver.send(.buffering(100)).contains(.report(.seeked(position: 5))))
    }

    /// Another player that joins a stream has another origin of its times.
    @Test func aRejoinedLiveStreamReturnsOnce() throws {
        var driver = try resumedDriver()
        driver.machine.player.timeOffset = -30
        #expect(driver.send(.buffering(100)).contains(.seek(.windowBeforePause(15))))
        driver.wait(0.1)
        driver.send(.buffering(0))
        driver.send(.buffering(100))
        driver.wait(0.1)
        let actions = driver.send(.timeChanged(45100))
        #expect(!actions.contains { if case .seek = $0 { true } else { false } })
    }
}
