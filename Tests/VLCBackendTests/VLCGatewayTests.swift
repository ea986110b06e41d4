#if VLC
    import FlowplayerFaults
    import FlowplayerSDK
    import FlowplayerTesting
    import FlyingFox
    import Foundation
    import TestSupport
    import Testing

    @testable import VLCBackend

    /// What stands between libVLC and the servers of streams.
    @MainActor
    @Suite struct VLCGatewayTests {
        private func play(_ url: URL, to last: PlayerState = .complete) async -> EventRecorder {
            let player = MediaPlayer(backend: VLCBackend(audioOutput: .none))
            let recorder = EventRecorder(player)
            player.load(url, autoPlay: true)
            #expect(await recorder.reaches(last, within: .seconds(20)), "\(recorder.states) \(recorder.errors)")
            return recorder
        }

        /// Lets those in who have been at the door, and tells everybody else to go.
        private func guarded(_ folder: URL) async throws -> LoopbackServer {
            try await LoopbackServer { request in
                let pass = "pass=\(folder.lastPathComponent)"
                if request.path == "/door" {
                    let headers: HTTPHeaders = [.location: "/clip.m3u8", .setCookie: pass + "; Path=/"]
                    return HTTPResponse(statusCode: .found, headers: headers)
                }
                guard request.headers[.cookie]?.contains(pass) == true else {
                    return HTTPResponse(statusCode: .forbidden)
                }
                let file = folder.appending(path: String(request.path.dropFirst()))
                return HTTPResponse(statusCode: .ok, body: try Data(contentsOf: file))
            }
        }

        @Test func whatIsSetOnceIsSentWithEveryRequest() async throws {
            let clip = try await MediaFixtures.shared.medium("m3u8")
            let server = try await guarded(clip.deletingLastPathComponent())
            let recorder = await play(server.base.appending(path: "door"))
            #expect(recorder.errors.isEmpty)
            #expect(recorder.positions.last == MediaFixtures.duration)
        }

        @Test func anotherItemKnowsNothingOfIt() async throws {
            let clip = try await MediaFixtures.shared.medium("m3u8")
            let server = try await guarded(clip.deletingLastPathComponent())
            _ = await play(server.base.appending(path: "door"))
            let recorder = await play(server.base.appending(path: "clip.m3u8"), to: .failure)
            #expect(recorder.errors.map(\.httpStatus) == [403])
        }

        @Test(arguments: ["status=404@variant1", "status=404@variant1+status=500@variant2"])
        func insteadOfAMissingVariantAnotherOneIsPlayed(plan: String) async throws {
            let master = try await MediaFixtures.shared.variants()
            let server = try await FaultServer.start(serving: master.deletingLastPathComponent())
            let player = MediaPlayer(backend: VLCBackend(audioOutput: .none))
            let recorder = EventRecorder(player)
            player.load(server.url(for: "/master.m3u8", plan: try FaultPlan(parsing: plan)), autoPlay: true)
            let plays = await recorder.event(within: .seconds(20)) { event in
                if case .position(let position) = event { position > 3 } else { event == .state(.failure) }
            }
            #expect(plays)
            #expect(recorder.errors.isEmpty)
            #expect(player.snapshot.playbackType == .vod)
            #expect(abs((player.duration?.seconds ?? 0) - 12) < 0.2)
            player.stop()
            await server.stop()
        }

        /// A way through the gateway, without libVLC.
        private func lane(to server: FaultServer) -> HLSLane {
            let access = HTTPAccess(retry: .standard, security: .standard, cookies: CookieJar())
            let stream = HLSStream(url: server.url(for: "/a.m3u8"), playlist: "#EXTM3U", access: access, port: 1)
            return HLSLane(to: stream, hasBegun: false)
        }

        /// Nothing that is told at the end may be about what has been mended since, nor be forgotten if it has not.
        @Test func aRefusalIsKeptUntilASegmentHasCome() async throws {
            let server = try await FaultServer.start(serving: ["/a.ts": Data(count: 1000)])
            let lane = lane(to: server)
            let refused = await lane.answer(.segment, server.url(for: "/b.ts"), range: nil)
            #expect(refused.statusCode.code == 404)
            #expect(lane.error?.httpStatus == 404)
            let bytes = try await lane.answer(.segment, server.url(for: "/a.ts"), range: nil).bodyData
            #expect(bytes.count == 1000)
            #expect(await eventually { lane.error == nil })
            await server.stop()
        }

        /// libVLC waits for the rest of an answer for ever, and cannot be stopped meanwhile.
        @Test func whatIsGivenUpBreaksOff() async throws {
            let server = try await FaultServer.start(serving: ["/a.ts": Data(count: 500_000)])
            let lane = lane(to: server)
            let url = server.url(for: "/a.ts", plan: FaultPlan("hang-mid-body")!)
            let answer = await lane.answer(.segment, url, range: nil)
            #expect(answer.statusCode == .ok)
            lane.close()
            await #expect(throws: (any Error).self) { try await answer.bodyData }
            await server.stop()
        }

        @Test func withoutAnyVariantTheFirstRefusalIsTold() async throws {
            let master = try await MediaFixtures.shared.variants()
            let server = try await FaultServer.start(serving: master.deletingLastPathComponent())
            let plan = try FaultPlan(parsing: "status=404@variant1+status=500@variant2+status=500@variant3")
            let recorder = await play(server.url(for: "/master.m3u8", plan: plan), to: .failure)
            #expect(recorder.errors.map(\.httpStatus) == [404])
            await server.stop()
        }
    }
#endif
