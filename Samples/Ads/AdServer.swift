import FlyingFox
import Foundation

/// A minimal ad server with one schedule. It accepts connections from this machine only.
struct AdServer {
    /// The address of the schedule.
    let schedule: URL

    /// Starts the server.
    ///
    /// - Parameter ad: the media file of the advertisements.
    init(ad: URL) async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        await server.appendRoute("GET /ad.mp4", to: FileHTTPHandler(path: ad, contentType: "video/mp4"))
        await server.appendRoute("GET /schedule") { request in
            let base = "http://\(request.headers[.host] ?? "")"
            return HTTPResponse(
                statusCode: .ok, headers: [.contentType: "application/xml"], body: Data(Self.schedule(at: base).utf8))
        }
        await server.appendRoute("GET /track/*") { request in
            print("tracker", request.path.dropFirst("/track/".count))
            return HTTPResponse(statusCode: .noContent)
        }
        Task { try await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress,
            let address = URL(string: "http://127.0.0.1:\(port)/schedule")
        else { throw URLError(.cannotConnectToHost) }
        schedule = address
    }

    /// A VMAP document: an advertisement before the item, and one at one second.
    private static func schedule(at base: String) -> String {
        func adBreak(_ offset: String, _ id: String) -> String {
            let events = ["start", "midpoint", "complete"].map {
                "<Tracking event=\"\($0)\">\(base)/track/\(id)/\($0)</Tracking>"
            }
            return """
                <vmap:AdBreak timeOffset="\(offset)" breakType="linear"><vmap:AdSource><vmap:VASTAdData>
                <VAST version="4.2"><Ad id="\(id)" adType="hybrid"><InLine><AdSystem>sample</AdSystem><AdTitle>\(id)</AdTitle>
                <Impression>\(base)/track/\(id)/impression</Impression>
                <Creatives><Creative><Linear skipoffset="00:00:05"><TrackingEvents>\(events.joined())</TrackingEvents>
                <VideoClicks><ClickThrough>https://example.com/</ClickThrough></VideoClicks>
                <MediaFiles><MediaFile type="video/mp4" delivery="progressive">\(base)/ad.mp4</MediaFile></MediaFiles>
                </Linear></Creative></Creatives></InLine></Ad></VAST>
                </vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
                """
        }
        return """
            <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
            \(adBreak("start", "first"))\(adBreak("00:00:01", "second"))
            </vmap:VMAP>
            """
    }
}
