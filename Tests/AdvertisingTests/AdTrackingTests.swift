import Foundation
import MediaTransport
import Playback
import Synchronization
import TestSupport
import Testing

@testable import Advertising

struct AdTrackingTests {
    private static func tracker(_ linear: String? = nil) throws -> AdTracker {
        let document = try VASTDocument(Data(VASTSamples.inline(linear: linear).utf8))
        return AdTracker(try #require(document.ads.first))
    }

    // MARK: Requests

    /// A sender whose server is a closure.
    private func sender(_ answer: @escaping AdTransport.Send) throws -> TrackingSender {
        var item = PlayerItem(url: try #require(URL(string: "http://film.test/film.mp4")))
        item.retryPolicy.firstDelay = 0.001
        return TrackingSender(AdTransport(for: item, send: answer))
    }

    @Test
    func aTrackerThatFailsIsCalledAgain() async throws {
        let paths = RequestLog()
        let sender = try sender { (request) throws(HTTPFetch.Failure) in
            let count = paths.add(request.url.path())
            return HTTPFetch.Answer(status: count < 3 ? 503 : 200, body: Data(), url: request.url)
        }
        sender.send(["http://ads.test/a", "http://ads.test/b"], AdMacros())
        await sender.finish()
        #expect(paths.paths == ["/a", "/a", "/a", "/b", "/b", "/b"])
        #expect(sender.isIdle)
    }

    /// A document may name thousands of trackers on servers that do not answer.
    @Test
    func theWaitingTrackersAndTheBusyServersAreLimited() async throws {
        let (paths, gate) = (RequestLog(), AsyncStream<Void>.makeStream())
        let atOnce = Mutex(0)
        let most = Mutex(0)
        let sender = try sender { (request) throws(HTTPFetch.Failure) in
            paths.add(request.url.path())
            let count = atOnce.withLock { count in
                count += 1
                return count
            }
            most.withLock { $0 = max($0, count) }
            for await _ in gate.stream {}
            atOnce.withLock { $0 -= 1 }
            return HTTPFetch.Answer(status: 200, body: Data(), url: request.url)
        }
        sender.send((0..<3000).map { "http://ads\($0 % 20).test/\($0)" }, AdMacros())
        while atOnce.withLock(\.self) < 6 { await Task.yield() }
        gate.continuation.finish()
        await sender.finish()
        #expect(most.withLock(\.self) == 6)
        #expect((1000...1006).contains(paths.paths.count), "\(paths.paths.count)")
    }

    // MARK: Events

    private func names(_ addresses: [String]) -> [String] {
        addresses.map { String($0.split(separator: "/").last ?? "") }
    }

    @Test
    func eachMilestoneIsReportedOnce() throws {
        var tracker = try Self.tracker()
        #expect(tracker.handle(.position(1)) == [])
        #expect(names(tracker.handle(.playing)) == ["impression", "start"])
        #expect(tracker.handle(.playing) == [])
        #expect(names(tracker.handle(.position(0.5))) == ["firstQuartile"])
        #expect(tracker.handle(.position(0.6)) == [])
        #expect(names(tracker.handle(.paused)) == ["pause"])
        #expect(tracker.handle(.paused) == [])
        #expect(names(tracker.handle(.playing)) == ["resume"])
        #expect(names(tracker.handle(.clicked)) == ["click"])
        #expect(names(tracker.handle(.completed)) == ["midpoint", "thirdQuartile", "complete"])
        #expect(tracker.handle(.completed) == [] && tracker.handle(.failed(.linearFailed)) == [])
    }

    @Test
    func anAdThatIsSkippedIsNotComplete() throws {
        var tracker = try Self.tracker()
        _ = tracker.handle(.playing)
        #expect(names(tracker.handle(.skipped)) == ["skip"])
        #expect(tracker.handle(.completed) == [] && tracker.handle(.position(2)) == [])
    }

    @Test
    func anAdThatFailsBeforeItsStartHasNoImpression() throws {
        var tracker = try Self.tracker()
        #expect(names(tracker.handle(.failed(.mediaNotFound))) == ["error?code=[ERRORCODE]"])
        #expect(tracker.handle(.playing) == [])
    }

    @Test
    func aVideoCountsOnlyWhileItIsSeen() throws {
        let document = try VASTDocument(Data(VASTSamples.inline(extra: Self.views).utf8))
        var tracker = AdTracker(try #require(document.ads.first), isVisible: false)
        #expect(tracker.handle(.playing) == [])
        #expect(tracker.handle(.position(0.6)) == [])
        #expect(names(tracker.handle(.visible(true))) == ["impression", "start"])
        #expect(names(tracker.handle(.position(1.1))) == ["midpoint"])
        #expect(tracker.handle(.visible(false)) == [] && tracker.handle(.position(1.6)) == [])
        #expect(names(tracker.handle(.completed)) == ["not"])
    }

    /// Without an impression there is nothing to say about it.
    @Test
    func anAdvertisementThatNobodySeesIsNotReported() throws {
        let document = try VASTDocument(Data(VASTSamples.inline(extra: Self.views).utf8))
        var tracker = AdTracker(try #require(document.ads.first), isVisible: false)
        #expect(tracker.handle(.playing) == [] && tracker.handle(.position(1)) == [])
        #expect(tracker.handle(.completed) == [] && tracker.handle(.closed) == [])
    }

    /// A pause or a hidden video begins the two seconds again.
    @Test
    func aViewableImpressionIsSeenForTwoSeconds() throws {
        let linear = "<Duration>00:00:20</Duration>"
        let document = try VASTDocument(Data(VASTSamples.inline(linear: linear, extra: Self.views).utf8))
        let ad = try #require(document.ads.first)
        var tracker = AdTracker(ad)
        #expect(names(tracker.handle(.playing)) == ["impression"])
        #expect(tracker.handle(.position(1.9)) == [] && tracker.handle(.paused) == [])
        #expect(tracker.handle(.playing) == [] && tracker.handle(.position(3.8)) == [])
        #expect(tracker.handle(.visible(false)) == [] && tracker.handle(.position(5)) == [])
        #expect(tracker.handle(.visible(true)) == [] && tracker.handle(.position(6.9)) == [])
        #expect(names(tracker.handle(.position(7))) == ["seen"])
        #expect(tracker.handle(.position(19)) == [] && tracker.handle(.completed) == [])
        for end in [AdTracker.Event.skipped, .failed(.linearFailed), .closed] {
            var short = AdTracker(ad)
            _ = short.handle(.playing)
            #expect(names(short.handle(end)).last == "not" && short.handle(.closed) == [])
        }
    }

    @Test
    func aSecondClickIsNotTracked() throws {
        var tracker = try Self.tracker()
        _ = tracker.handle(.playing)
        #expect(names(tracker.handle(.clicked)) == ["click"] && tracker.handle(.clicked) == [])
    }

    @Test
    func anAudioAdvertisementCountsWhileItIsHeard() throws {
        let text = VASTSamples.inline(extra: Self.views).replacing("<Ad id", with: "<Ad adType=\"audio\" id")
        var tracker = AdTracker(try #require(try VASTDocument(Data(text.utf8)).ads.first), isVisible: false)
        #expect(names(tracker.handle(.playing)) == ["impression", "start"])
        #expect(names(tracker.handle(.completed)).suffix(2) == ["complete", "unknown"])
    }

    private static let views = """
        <ViewableImpression><Viewable>http://a.test/seen</Viewable><NotViewable>http://a.test/not</NotViewable>
        <ViewUndetermined>http://a.test/unknown</ViewUndetermined></ViewableImpression>
        """

    @Test
    func progressComesInTheOrderOfItsPositions() throws {
        let linear = """
            <Duration>00:00:10</Duration><TrackingEvents>
              <Tracking event="progress" offset="75%">http://a.test/75</Tracking>
              <Tracking event="progress" offset="00:00:01">http://a.test/1</Tracking>
              <Tracking event="midpoint">http://a.test/mid</Tracking>
              <Tracking event="progress" offset="00:01:00">http://a.test/beyond</Tracking>
              <Tracking event="progress" offset="00:00:00">http://a.test/0</Tracking>
            </TrackingEvents>
            """
        var tracker = try Self.tracker(linear)
        #expect(names(tracker.handle(.playing)) == ["impression", "0"])
        #expect(names(tracker.handle(.position(8))) == ["1", "mid", "75"])
        #expect(tracker.handle(.completed) == [])
    }

    @Test(arguments: [
        ("http://a.test/?e=[ERRORCODE]&p=[ADPLAYHEAD]", "http://a.test/?e=403&p=00%3A00%3A01.500"),
        ("http://a.test/?e=%5BERRORCODE%5D", "http://a.test/?e=403"),
        ("http://a.test/[UNKNOWNWORD]", "http://a.test/%5BUNKNOWNWORD%5D"),
        ("http://a.test/?x=[GDPRCONSENT]", "http://a.test/?x=-1"),
        ("http://a.test/?x=100%25", "http://a.test/?x=100%25"),
        ("http://a.test/?x=a%20b&y=ü", "http://a.test/?x=a%20b&y=%C3%BC"),
        ("http://a.test/a%2Fb|c?x=%zz%4", "http://a.test/a%2Fb%7Cc?x=%25zz%254"),
        ("http://[::1]:80/?x=[ERRORCODE]", "http://[::1]:80/?x=403"),
        ("http://a.test/?x=[ERRORCODE", "http://a.test/?x=%5BERRORCODE"),
        ("http://a.test/?x=[[ERRORCODE]", "http://a.test/?x=%5B403"),
    ])
    func macrosBecomeValues(template: String, address: String) {
        let macros = AdMacros(values: ["ERRORCODE": "403", "ADPLAYHEAD": AdMacros.time(1.5)])
        #expect(macros.address(template)?.absoluteString == address)
    }

    /// An address is read once, however long it is. This test would take hours, and gigabytes for the last address.
    @Test
    func anAddressThatBecomesTooLongIsNone() {
        let macros = AdMacros(values: ["UNIVERSALADID": String(repeating: " ", count: 400_000)])
        for piece in ["%", "[", "%5B", "[A", "[UNIVERSALADID]"] {
            #expect(macros.address("http://a.test/?" + String(repeating: piece, count: 200_000)) == nil)
        }
    }

    @Test
    func eachRequestHasANewNumber() throws {
        let macros = AdMacros().fresh(at: Date(timeIntervalSince1970: 0), random: 12_345_678)
        let url = try #require(macros.address("http://a.test/[CACHEBUSTING]/[TIMESTAMP]"))
        #expect(url.absoluteString == "http://a.test/12345678/1970-01-01T00%3A00%3A00Z")
    }

    @Test(arguments: [(0, "00:00:00.000"), (3661.0015, "01:01:01.002"), (-1, "00:00:00.000"), (1e9, "99:59:59.000")])
    func timesHaveMilliseconds(seconds: Double, text: String) { #expect(AdMacros.time(seconds) == text) }
}
