#if VLC || GStreamer
import FlowplayerSDK
import FlowplayerTesting
import TestSupport
import Testing

/// Radio stations: streams without an end.
@MainActor
@Suite struct RadioTests {
    @Test(arguments: RealEngine.allCases) func aPausedStationIsJoinedAgain(engine: RealEngine) async throws {
        let station = try await RadioServer()
        let (player, recorder) = load(station, engine, plays: true)
        #expect(await recorder.event { $0.reaches(1) }, "\(recorder.errors)")
        #expect(player.duration == nil && !player.canSeek)
        player.pause()
        #expect(await recorder.reaches(.pause))
        #expect(await eventually { station.listeners == 0 })
        player.play()
        #expect(await recorder.event { $0.reaches(2) }, "\(recorder.errors)")
        #expect(recorder.positions == recorder.positions.sorted())
        player.stop()
    }

    /// It would begin with what was sent when it was loaded.
    @Test(arguments: RealEngine.allCases) func aLoadedStationBeginsAtItsEdge(engine: RealEngine) async throws {
        let station = try await RadioServer()
        let (player, recorder) = load(station, engine, plays: false)
        #expect(await recorder.reaches(.ready), "\(recorder.errors)")
        #expect(await eventually { station.listeners == 0 })
        player.play()
        #expect(await recorder.event { $0.reaches(1) }, "\(recorder.errors)")
        player.stop()
    }

    @Test(arguments: RealEngine.allCases) func aStationThatReturnsIsPlayedAgain(engine: RealEngine) async throws {
        let station = try await RadioServer()
        let (player, recorder) = load(station, engine, plays: true)
        #expect(await recorder.event { $0.reaches(1) }, "\(recorder.errors)")
        station.stopSource()
        #expect(await recorder.reaches(.buffer))
        station.startSource()
        let position = player.position.seconds
        #expect(await recorder.event { $0.reaches(position + 1) }, "\(recorder.errors)")
        player.stop()
    }

    @Test(arguments: RealEngine.allCases) func aStationThatStopsFails(engine: RealEngine) async throws {
        let station = try await RadioServer()
        let (player, recorder) = load(station, engine, plays: true, attempts: 2)
        #expect(await recorder.event { $0.reaches(1) }, "\(recorder.errors)")
        station.stopSource()
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.map(\.httpStatus) == [404])
        player.stop()
    }

    private func load(_ station: RadioServer, _ engine: RealEngine, plays: Bool, attempts: Int = .max) -> (
        player: MediaPlayer, recorder: EventRecorder
    ) {
        var item = PlayerItem(unlimited: station.url)
        item.retryPolicy.attempts = attempts
        let player = engine.makePlayer()
        let recorder = EventRecorder(player)
        player.load(item, autoPlay: plays)
        return (player, recorder)
    }
}
#endif
