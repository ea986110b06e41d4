import FlowplayerSDK
import FlyingFox
import Foundation
import TestSupport
import Testing

@Suite struct OVPClientTests {
    private static let token = "s3cret-t0ken"
    private static let json = #"{"src": "clip.m3u8", "poster": "/p.jpg", "metadata": {"title": "Clip"}}"#

    private static func request(
        _ mediaId: String = "m", _ playerId: String = "p", token: String? = token
    ) -> OVPRequest {
        OVPRequest(mediaId: mediaId, playerId: playerId, accessToken: token)
    }

    /// Asks a server that gives this answer.
    private static func config(
        _ status: HTTPStatusCode = .ok, body: String = json, headers: HTTPHeaders = [:]
    ) async throws -> OVPConfig {
        let server = try await LoopbackServer { _ in
            HTTPResponse(statusCode: status, headers: headers, body: Data(body.utf8))
        }
        return try await HTTPOVPClient(baseURL: server.base).config(for: request())
    }

    private static let elsewhere = "The server redirects to another one, which must not see this request."
    /// A port of this machine without a listener.
    private static let nowhere = URL(string: "http://127.0.0.1:1")!

    private static func failure(_ reason: String, at base: URL) -> OVPError {
        .network(reason: reason, url: base.appending(path: "media/m/players/p/config.json").absoluteString)
    }

    // MARK: The request

    @Test func theRequestCarriesTokenAndIds() async throws {
        let log = RequestLog()
        let server = try await LoopbackServer { await log.add($0, Self.json) }
        let base = server.base.appending(path: "api/v2/")
        let config = try await HTTPOVPClient(baseURL: base).config(for: Self.request("film", "kiosk"))
        #expect(config.metadata?.title == "Clip")
        #expect(config.mediaURL == base.appending(path: "media/film/players/kiosk/clip.m3u8"))
        #expect(config.posterURL == server.base.appending(path: "p.jpg"))
        let request = try #require(await log.requests.first)
        #expect(request.method == .GET)
        #expect(request.target.path() == "/api/v2/media/film/players/kiosk/config.json")
        #expect(request.headers[.authorization] == "Bearer \(Self.token)")
        #expect(request.headers[HTTPHeader("Accept")] == "application/json")
        #expect(await log.requests.count == 1)
    }

    @Test(arguments: [
        ("a/b", "a%2Fb"), ("../x", "..%2Fx"), ("a b", "a%20b"), ("ü?#%", "%C3%BC%3F%23%25"), ("...", "..."),
        ("a\r\nb", "a%0D%0Ab"), ("\0", "%00"), ("a:b@c;d=e&f+g", "a%3Ab%40c%3Bd%3De%26f%2Bg"),
    ])
    func idsAreEncodedWhole(id: String, segment: String) async throws {
        let log = RequestLog()
        let server = try await LoopbackServer { await log.add($0, Self.json) }
        _ = try await HTTPOVPClient(baseURL: server.base).config(for: Self.request(id, id))
        let expected = "/media/\(segment)/players/\(segment)/config.json"
        #expect(await log.requests.map { $0.target.path() } == [expected])
    }

    @Test(arguments: ["", ".", ".."])
    func idsThatAreNoPartOfAPathAreNotFound(id: String) async {
        let client = HTTPOVPClient(baseURL: Self.nowhere)
        await #expect(throws: OVPError.notFound) { try await client.config(for: Self.request(id, "p")) }
        await #expect(throws: OVPError.notFound) { try await client.config(for: Self.request("m", id)) }
    }

    @Test(arguments: [nil, "", "two words", "line\r\nX-Other: 1", "ümlaut"])
    func withoutAUsableTokenNothingIsAsked(token: String?) async {
        await #expect(throws: OVPError.invalidAccessToken(status: nil)) {
            try await HTTPOVPClient(baseURL: Self.nowhere).config(for: Self.request(token: token))
        }
    }

    // MARK: The answer

    @Test(arguments: [
        (401, OVPError.invalidAccessToken(status: 401)), (403, .invalidAccessToken(status: 403)), (404, .notFound),
        (400, .server(status: 400)), (410, .server(status: 410)), (500, .server(status: 500)),
        (503, .server(status: 503)), (304, .server(status: 304)),
    ])
    func aRefusalIsReportedByItsStatus(status: Int, error: OVPError) async {
        let body = String(repeating: "no ", count: 500_000)
        for headers in [[:], [HTTPHeader("WWW-Authenticate"): "Basic realm=\"x\""]] as [HTTPHeaders] {
            await #expect(throws: error) {
                try await Self.config(HTTPStatusCode(status, phrase: "Test"), body: body, headers: headers)
            }
        }
    }

    @Test(arguments: [
        ("", "It is empty."), ("<html>", "It is not JSON."), (#"{"src": 5}"#, "`src` must be a string."),
        ("{}", "`src` contains no playable address."),
        (#"{"src": ["", "file:///etc/passwd"]}"#, "`src` contains no playable address."),
        (String(repeating: " ", count: 1_000_001), "It is larger than 1 MB."),
    ])
    func aConfigThatCannotBeUsedIsRefused(body: String, reason: String) async {
        await #expect(throws: OVPError.invalidConfig(reason: reason)) { try await Self.config(body: body) }
    }

    @Test func aConfigMayBeUpToOneMegabyteLong() async throws {
        let padding = String(repeating: " ", count: 1_000_000 - Self.json.utf8.count)
        #expect(try await Self.config(body: Self.json + padding).metadata?.title == "Clip")
    }

    @Test func aConfigWithoutEndIsCutOff() async throws {
        let body = EndlessBody()
        let server = try await LoopbackServer { _ in
            HTTPResponse(statusCode: .ok, body: HTTPBodySequence(from: body))
        }
        await #expect(throws: OVPError.invalidConfig(reason: "It is larger than 1 MB.")) {
            try await HTTPOVPClient(baseURL: server.base).config(for: Self.request())
        }
        for await _ in body.ends { break }
    }

    // MARK: The connection

    @Test func aConnectionThatIsRefused() async {
        await #expect(throws: Self.failure("The server refused the connection.", at: Self.nowhere)) {
            try await HTTPOVPClient(baseURL: Self.nowhere).config(for: Self.request())
        }
    }

    @Test func aHostThatIsUnknown() async throws {
        let base = try #require(URL(string: "http://user:pass@no-such-host.invalid/a?key=\(Self.token)"))
        let url = "http://no-such-host.invalid/a/media/m/players/p/config.json"
        await #expect(throws: OVPError.network(reason: "Unknown host.", url: url)) {
            try await HTTPOVPClient(baseURL: base).config(for: Self.request())
        }
    }

    @Test(arguments: ["file:///srv", "/srv", "ftp://a.example", "https:///a"])
    func anAddressThatIsNoServers(address: String) async throws {
        let base = try #require(URL(string: address))
        let error = OVPError.network(reason: "The platform's address is not that of a server.", url: base.redacted)
        await #expect(throws: error) { try await HTTPOVPClient(baseURL: base).config(for: Self.request()) }
    }

    @Test func aServerThatNeverAnswers() async throws {
        let server = try await LoopbackServer { _ in try await Self.never() }
        let client = HTTPOVPClient(baseURL: server.base, timeout: .milliseconds(50))
        await #expect(throws: Self.failure("The server did not send the data in time.", at: server.base)) {
            try await client.config(for: Self.request())
        }
    }

    @Test func aServerThatAnswersTooSlowly() async throws {
        let server = try await LoopbackServer { _ in
            HTTPResponse(statusCode: .ok, body: HTTPBodySequence(from: EndlessBody(pause: .milliseconds(20))))
        }
        let client = HTTPOVPClient(baseURL: server.base, timeout: .milliseconds(200))
        await #expect(throws: Self.failure("The server did not send the data in time.", at: server.base)) {
            try await client.config(for: Self.request())
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
    func withoutTimeThereIsNoAnswer(timeout: Duration) async throws {
        let server = try await LoopbackServer { _ in try await Self.never() }
        let client = HTTPOVPClient(baseURL: server.base, timeout: timeout)
        await #expect(throws: Self.failure("The server did not send the data in time.", at: server.base)) {
            try await client.config(for: Self.request())
        }
    }

    @Test(arguments: [Duration.milliseconds(900), .seconds(Int64.max)])
    func aTimeMayBeOfAnyLength(timeout: Duration) async throws {
        let server = try await LoopbackServer { _ in
            HTTPResponse(statusCode: .ok, body: Data(Self.json.utf8))
        }
        let client = HTTPOVPClient(baseURL: server.base, timeout: timeout)
        // On a busy machine an answer may take longer than a second.
        let isAnswered = await eventually {
            (try? await client.config(for: Self.request()))?.metadata?.title == "Clip"
        }
        #expect(isAnswered)
    }

    @Test func aTaskThatIsCancelledEndsItsRequest() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let server = try await LoopbackServer { _ in
            arrived.yield()
            return try await Self.never()
        }
        let client = HTTPOVPClient(baseURL: server.base, timeout: .seconds(3600))
        let task = Task { try await client.config(for: Self.request()) }
        for await _ in arrivals { break }
        task.cancel()
        await #expect(throws: Self.failure("The request was cancelled.", at: server.base)) {
            try await task.value
        }
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.config(for: Self.request())
        }
        await #expect(throws: Self.failure("The request was cancelled.", at: server.base)) {
            try await late.value
        }
    }

    // MARK: Redirects

    @Test func aRedirectWithinTheServerIsFollowed() async throws {
        let log = RequestLog()
        let server = try await LoopbackServer { request in
            guard request.path.hasSuffix("/config.json") else { return await log.add(request, Self.json) }
            return HTTPResponse(statusCode: .found, headers: HTTPHeaders([.location: "/moved/here.json"]))
        }
        let config = try await HTTPOVPClient(baseURL: server.base).config(for: Self.request())
        #expect(config.mediaURL == server.base.appending(path: "moved/clip.m3u8"))
        #expect(await log.requests.first?.headers[.authorization] == "Bearer \(Self.token)")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectToAnotherServerIsNot(status: Int) async throws {
        let log = RequestLog()
        let other = try await LoopbackServer { await log.add($0, Self.json) }
        let server = try await LoopbackServer { _ in
            let location = other.base.appending(path: "config.json").absoluteString
            return HTTPResponse(
                statusCode: HTTPStatusCode(status, phrase: "Test"), headers: HTTPHeaders([.location: location]))
        }
        await #expect(throws: Self.failure(Self.elsewhere, at: server.base)) {
            try await HTTPOVPClient(baseURL: server.base).config(for: Self.request())
        }
        #expect(await log.requests.isEmpty)
    }

    @Test(arguments: ["http://localhost:PORT/config.json", "https://127.0.0.1:PORT/config.json"])
    func anotherNameOrSchemeIsAnotherServer(location: String) async throws {
        let log = RequestLog()
        let server = try await LoopbackServer { request in
            guard request.path.hasPrefix("/media") else { return await log.add(request, Self.json) }
            let port = request.headers[.host]?.split(separator: ":").last.map(String.init) ?? ""
            return HTTPResponse(
                statusCode: .found, headers: HTTPHeaders([.location: location.replacing("PORT", with: port)]))
        }
        await #expect(throws: Self.failure(Self.elsewhere, at: server.base)) {
            try await HTTPOVPClient(baseURL: server.base).config(for: Self.request())
        }
        #expect(await log.requests.isEmpty)
    }

    @Test func aServerThatRedirectsTooOftenIsNotFollowed() async throws {
        let log = RequestLog()
        let server = try await LoopbackServer { request in
            _ = await log.add(request, "")
            return HTTPResponse(statusCode: .found, headers: HTTPHeaders([.location: request.path]))
        }
        await #expect(throws: Self.failure("The server redirects too often.", at: server.base)) {
            try await HTTPOVPClient(baseURL: server.base).config(for: Self.request())
        }
        #expect(await log.requests.count == 6)
    }

    // MARK: Secrets

    @Test func noDescriptionShowsTheToken() {
        let request = OVPRequest(MediaOVP(mediaId: "film", playerId: "kiosk"), accessToken: Self.token)
        var dumped = ""
        dump([request], to: &dumped)
        let texts = [
            "\(request)", String(reflecting: request), String(describing: Optional(request)), dumped,
            "\(Mirror(reflecting: request).children.map { $0 })",
        ]
        for text in texts {
            #expect(text.contains("film"))
            #expect(!text.contains(Self.token))
        }
        #expect(texts[0].contains("hasAccessToken: true"))
    }

    @Test(arguments: [
        OVPError.invalidAccessToken(status: nil), .invalidAccessToken(status: 403), .notFound, .server(status: 500),
        .invalidConfig(reason: "It is empty."), .network(reason: "Unknown host.", url: "https://a.example/"),
    ])
    func everyErrorSaysWhatToDo(error: OVPError) {
        let sentences = error.localizedDescription.split(separator: ". ")
        #expect(sentences.count >= 2)
        #expect(error.localizedDescription.hasSuffix("."))
    }

    /// Ends only with the server.
    private static func never() async throws -> HTTPResponse {
        try await Task.sleep(for: .seconds(3600))
        return HTTPResponse(statusCode: .ok)
    }
}
