import FlowplayerFaults
import Foundation
import Synchronization
import Testing

/// Faults of connections, as curl reports them by its exit codes.
@Suite struct ConnectionTests {
    private static let half = Clip.data.prefix(Clip.size / 2)

    // MARK: Refused

    @Test func nobodyListens() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .refused))
        #expect(result.code == Curl.Code.cannotConnect)
        #expect(server.requests.isEmpty)
    }

    // MARK: Closed

    @Test func closedBeforeTheHeadersNothingComes() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .close(.beforeHeaders)))
        #expect(result.code == Curl.Code.nothingCame)
        #expect(server.requests.first?.status == nil)
        #expect(server.requests.first?.ending == .closed)
    }

    @Test(arguments: [(Fault.close(.afterHeaders), 0), (.close(.midBody), 150_000), (.close(.midBody(after: 7)), 7)])
    func closedLaterTheFileIsCut(fault: Fault, count: Int) async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: fault))
        #expect(result.code == Curl.Code.partialFile)
        #expect(result.status == 200)
        #expect(result.headers["content-length"] == "\(Clip.size)")
        #expect(result.body == Clip.data.prefix(count))
        let request = try await server.request { $0.ending == .closed }
        #expect(request.bytesSent == count)
        #expect(request.faults == [fault])
    }

    // MARK: Reset

    @Test func resetBeforeTheHeadersNothingComes() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .reset(.beforeHeaders)))
        #expect(result.code == Curl.Code.receiveFailed)
        #expect(result.status == 0)
        #expect(try await server.request { $0.ending == .reset }.status == nil)
    }

    @Test(arguments: [(Fault.reset(.afterHeaders), 0), (.reset(.midBody), 150_000), (.reset(.midBody(after: 7)), 7)])
    func resetLaterTheFileIsCut(fault: Fault, count: Int) async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: fault))
        #expect(result.code == Curl.Code.receiveFailed)
        #expect(result.status == 200)
        #expect(result.body == Clip.data.prefix(count))
        #expect(try await server.request { $0.ending == .reset }.bytesSent == count)
    }

    @Test func droppedOnceTheSameConnectionComesAgain() async throws {
        let server = try await Clip.server()
        let url = server.url(for: Clip.path, fault: .reset(.midBody), on: .request(1))
        #expect(try await Curl.get(url).code == Curl.Code.receiveFailed)
        #expect(try await Curl.get(url, "--range", "150000-").body == Clip.data.dropFirst(150_000))
    }

    @Test func bodiesThatAreNotLongerAreWhole() async throws {
        let server = try await Clip.server()
        for fault in [Fault.reset(.midBody(after: Clip.size)), .close(.midBody(after: Clip.size))] {
            let result = try await Curl.get(server.url(for: Clip.path, fault: fault))
            #expect(result.code == Curl.Code.fine)
            #expect(result.body == Clip.data)
        }
    }

    // MARK: Hanging

    @Test(arguments: [
        (Fault.hang(.beforeHeaders), 0, 0), (.hang(.afterHeaders), 200, 0), (.hang(.midBody), 200, 150_000),
        (.hang(.midBody(after: 7)), 200, 7),
    ])
    func nothingMoreComesUntilTheServerStops(fault: Fault, status: Int, count: Int) async throws {
        let server = try await Clip.server()
        async let answer = Curl.get(server.url(for: Clip.path, fault: fault))
        _ = try await server.request { $0.bytesSent == count }
        #expect(server.requests[0].ending == .open)
        await server.stop()
        let result = try await answer
        #expect(result.code == (status == 0 ? Curl.Code.nothingCame : Curl.Code.partialFile))
        #expect(result.status == status)
        #expect(result.body == Clip.data.prefix(count))
        #expect(server.requests[0].ending == .abandoned)
    }

    @Test func aClientThatGivesUpIsSeen() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .hang(.beforeHeaders)), "--max-time", "1")
        #expect(result.code == Curl.Code.timeOut)
        _ = try await server.request { $0.ending == .abandoned }
    }

    // MARK: Slow

    @Test func anAnswerIsLate() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .late(.milliseconds(700))))
        #expect(result.code == Curl.Code.fine)
        #expect(result.time.first >= 0.7)
    }

    @Test func aBodyDrips() async throws {
        let server = try await Clip.server()
        let url = server.url(for: Clip.path, fault: .drip(bytesPerSecond: 100_000))
        let result = try await Curl.get(url, "--range", "0-99999")
        #expect(result.code == Curl.Code.fine)
        #expect(result.body == Clip.data.prefix(100_000))
        #expect(result.time.total >= 0.9)
    }

    /// As on a busy machine.
    @Test func aBodyKeepsItsRateIfTheClockIsLate() async throws {
        let clock = LateClock()
        let server = try await Clip.server(clock: clock)
        let url = server.url(for: Clip.path, fault: .drip(bytesPerSecond: 100_000))
        let result = try await Curl.get(url, "--range", "0-99999")
        #expect(result.body == Clip.data.prefix(100_000))
        #expect(clock.elapsed >= .milliseconds(900))
        #expect(clock.elapsed <= .milliseconds(1200))
    }
}

/// Each sleep ends at once by the real time, and a quarter of a second late by this clock.
private final class LateClock: Clock {
    typealias Instant = ContinuousClock.Instant
    let minimumResolution = Duration.zero
    private let start = ContinuousClock.now
    private let time = Mutex(Duration.zero)

    var now: Instant { start + elapsed }
    var elapsed: Duration { time.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        time.withLock { $0 = max($0, (deadline - start) + .milliseconds(250)) }
    }
}
