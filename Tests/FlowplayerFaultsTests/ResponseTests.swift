import FlowplayerFaults
import Foundation
import Testing

@Suite struct ResponseTests {
    @Test func withoutFaultsAFileIsServedWhole() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path))
        #expect(result.code == Curl.Code.fine)
        #expect(result.status == 200)
        #expect(result.body == Clip.data)
        #expect(result.headers["content-length"] == "\(Clip.size)")
        #expect(result.headers["content-type"] == "video/mp4")
        #expect(result.headers["accept-ranges"] == "bytes")
    }

    @Test(arguments: [
        ("bytes=0-", 0..<Clip.size), ("bytes=100-199", 100..<200), ("bytes=299990-400000", 299_990..<Clip.size),
        ("bytes=-10", Clip.size - 10..<Clip.size),
    ])
    func aPartIsServed(header: String, part: Range<Int>) async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path), "--header", "Range: \(header)")
        #expect(result.status == 206)
        #expect(result.body == Clip.data[part])
        #expect(result.headers["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(Clip.size)")
    }

    @Test func aPartBehindTheEndIsRefused() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path), "--header", "Range: bytes=300000-")
        #expect(result.status == 416)
        #expect(result.headers["content-range"] == "bytes */\(Clip.size)")
    }

    @Test(arguments: ["bytes=5-2", "bytes=a-b", "lines=1-2", "bytes=0-1,4-5", "bytes=-"])
    func whatIsNoRangeIsIgnored(header: String) async throws {
        let server = try await Clip.server()
        #expect(try await Curl.get(server.url(for: Clip.path), "--header", "Range: \(header)").status == 200)
    }

    @Test func headIsAnsweredWithoutABody() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .close(.midBody)), "--head")
        #expect(result.code == Curl.Code.fine)
        #expect(result.headers["content-length"] == "\(Clip.size)")
    }

    @Test func otherMethodsAreRefused() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path), "--data", "x")
        #expect(result.status == 405)
        #expect(result.headers["allow"] == "GET, HEAD")
    }

    @Test(arguments: ["/no.mp4", "/folder", "/folder/../clip.mp4", "/%2e%2e/clip.mp4", "/", "/none", "/folder%00"])
    func whatIsNotThereIsNotFound(path: String) async throws {
        let server = try await Clip.server()
        let url = URL(string: "http://127.0.0.1:\(server.port)\(path)")!
        #expect(try await Curl.get(url, "--path-as-is").status == 404)
    }

    @Test func namesAreDecoded() async throws {
        let server = try await Clip.server()
        #expect(try await Curl.get(server.url(for: "/folder/other clip.mp4")).body == Clip.data)
        let url = server.url(for: "/folder/other clip.mp4", fault: .garbage)
        #expect(try await Curl.get(url).body.count == Clip.size)
        let encoded = url.absoluteString.replacing("garbage", with: "%67arbage")
        #expect(try await Curl.get(URL(string: encoded)!).body != Clip.data)
    }

    // MARK: Statuses

    @Test(arguments: [404, 403, 410, 500, 503, 204])
    func aStatusIsSent(code: Int) async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .status(code)))
        #expect(result.code == Curl.Code.fine)
        #expect(result.status == code)
        #expect(result.body == (code == 204 ? Data() : Data("\(code)\n".utf8)))
    }

    @Test func aClientReceivesTheTimeOfItsNextRequest() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .status(429, retryAfter: 7)))
        #expect(result.status == 429)
        #expect(result.headers["retry-after"] == "7")
    }

    @Test func unavailableAtFirstAndThenFine() async throws {
        let server = try await Clip.server()
        let url = server.url(for: Clip.path, fault: .status(503), on: .requests(1...2))
        var statuses: [Int] = []
        for _ in 1...3 { statuses.append(try await Curl.get(url).status) }
        #expect(statuses == [503, 503, 200])
    }

    // MARK: Lengths

    @Test func aLengthThatIsTooLongLeavesTheClientShort() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .lengthTooLong(by: 1000)))
        #expect(result.code == Curl.Code.partialFile)
        #expect(result.headers["content-length"] == "\(Clip.size + 1000)")
        #expect(result.body == Clip.data)
    }

    @Test func aLengthThatIsTooShortCutsTheFile() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .lengthTooShort(by: 1000)))
        #expect(result.code == Curl.Code.fine)
        #expect(result.body == Clip.data.dropLast(1000))
        let all = try await Curl.get(
            server.url(for: Clip.path, fault: .lengthTooShort(by: 1000)), "--ignore-content-length")
        #expect(all.body == Clip.data, "all of it is sent nevertheless")
    }

    @Test func chunksSayNothingOfTheLength() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .chunked))
        #expect(result.code == Curl.Code.fine)
        #expect(result.headers["content-length"] == nil)
        #expect(result.headers["transfer-encoding"] == "chunked")
        #expect(result.body == Clip.data)
    }

    @Test func chunksThatBreakOffAreNoWholeFile() async throws {
        let server = try await Clip.server()
        let plan = FaultPlan(.chunked).and(.close(.midBody))
        let result = try await Curl.get(server.url(for: Clip.path, plan: plan))
        #expect(result.code == Curl.Code.partialFile)
        #expect(result.body == Clip.data.prefix(Clip.size / 2))
    }

    @Test func withoutFramingTheConnectionIsTheLength() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .unframed))
        #expect(result.code == Curl.Code.fine)
        #expect(result.headers["content-length"] == nil)
        #expect(result.headers["transfer-encoding"] == nil)
        #expect(result.headers["connection"] == "close")
        #expect(result.body == Clip.data)
    }

    // MARK: Parts

    @Test func rangesMayBeIgnored() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .noRanges), "--range", "100-199")
        #expect(result.status == 200)
        #expect(result.body == Clip.data)
    }

    @Test func anotherPartThanAskedForIsSent() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .wrongRange(by: 50)), "--range", "100-199")
        #expect(result.status == 206)
        #expect(result.headers["content-range"] == "bytes 150-249/\(Clip.size)")
        #expect(result.body == Clip.data[150..<250])
        let whole = try await Curl.get(server.url(for: Clip.path, fault: .wrongRange(by: 50)))
        #expect(whole.status == 200)
        #expect(whole.body == Clip.data)
    }

    // MARK: Content

    @Test func garbageIsAlwaysTheSameAndNotTheFile() async throws {
        let server = try await Clip.server()
        let url = server.url(for: Clip.path, fault: .garbage)
        let (once, twice) = (try await Curl.get(url), try await Curl.get(url))
        #expect(once.status == 200)
        #expect(once.body.count == Clip.size)
        #expect(once.body == twice.body)
        #expect(once.body != Clip.data)
        #expect(Set(once.body).count == 256)
    }

    @Test func aBodyMayBeEmpty() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .empty))
        #expect(result.code == Curl.Code.fine)
        #expect(result.status == 200)
        #expect(result.headers["content-length"] == "0")
        #expect(result.body.isEmpty)
    }

    @Test func theTypeMayBeWrong() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(server.url(for: Clip.path, fault: .contentType("text/html; charset=x")))
        #expect(result.headers["content-type"] == "text/html; charset=x")
        #expect(result.body == Clip.data)
    }

    // MARK: Addresses that expire

    @Test func anAddressExpiresAfterSomeRequests() async throws {
        let server = try await Clip.server()
        server.set(.expires(afterRequests: 2))
        func status(_ token: String) async throws -> Int {
            try await Curl.get(server.url(for: Clip.path).appending(queryItems: [.init(name: "token", value: token)]))
                .status
        }
        var statuses: [Int] = []
        for token in ["a", "a", "a", "b", "b", "b", "a"] { statuses.append(try await status(token)) }
        #expect(statuses == [200, 200, 403, 200, 200, 403, 403])
    }

    @Test func anAddressExpiresAfterSomeBytes() async throws {
        let server = try await Clip.server()
        let url = server.url(for: Clip.path, fault: .expires(afterBytes: 150))
        var statuses: [Int] = []
        for _ in 1...3 { statuses.append(try await Curl.get(url, "--range", "0-99").status) }
        #expect(statuses == [206, 206, 403])
        let renewed = url.appending(queryItems: [.init(name: "token", value: "new")])
        #expect(try await Curl.get(renewed).status == 200)
    }

    // MARK: Elsewhere

    @Test func aRedirectLeadsToTheFile() async throws {
        let server = try await Clip.server()
        server.set(.redirect)
        let result = try await Curl.get(server.url(for: Clip.path), "--location")
        #expect(result.status == 200)
        #expect(result.body == Clip.data)
        #expect(result.headers["location"] == "http://127.0.0.1:\(server.port)/none/clip.mp4")
    }

    @Test func aRedirectLoopEndsOnlyWithTheClientsLimit() async throws {
        let server = try await Clip.server()
        let result = try await Curl.get(
            server.url(for: Clip.path, fault: .redirectLoop), "--location", "--max-redirs", "5")
        #expect(result.code == Curl.Code.tooManyRedirects)
        #expect(server.requests.count == 6)
        #expect(Set(server.requests.map(\.path)) == [Clip.path])
    }

    @Test func aRedirectLeadsToAFileOfTheMachine() async throws {
        let file = try await Curl.file(Clip.data)
        let server = try await FaultServer.start(serving: file)
        let path = "/\(file.lastPathComponent)"
        #expect(server.paths == [path])
        let url = server.url(for: path, fault: .redirectToFile)
        let result = try await Curl.get(url, "--location")
        #expect(result.code == Curl.Code.unsupportedScheme, "curl refuses; players may not")
        #expect(result.headers["location"] == file.absoluteString)
        let careless = try await Curl.get(url, "--location", "--proto-redir", "=file")
        #expect(careless.body == Clip.data)
    }

    @Test func anHonestServerTurnsLater() async throws {
        let server = try await Clip.server()
        let url = server.url(for: Clip.path, fault: .redirectToFile, on: .requests(2...))
        #expect(try await Curl.get(url).body == Clip.data)
        let second = try await Curl.get(url)
        #expect(second.status == 302)
        #expect(second.headers["location"] == "file:///clip.mp4")
        let ranged = server.url(for: Clip.path, fault: .redirectToFile, on: .ranged)
        #expect(try await Curl.get(ranged).status == 200)
        #expect(try await Curl.get(ranged, "--range", "0-").status == 302)
    }

    @Test func aRedirectLeadsAnywhere() async throws {
        let server = try await Clip.server()
        let address = "ftp://user@host/a+b@c?d=e,f%20g"
        let result = try await Curl.get(server.url(for: Clip.path, fault: .redirect(to: address)))
        #expect(result.status == 302)
        #expect(result.headers["location"] == address)
    }
}
