import FlowplayerFaults
import Foundation
import Testing

/// The text form of faults and plans, as in addresses and encodings.
@Suite struct FaultTextTests {
    static let plans: [(FaultPlan, String)] = [
        (FaultPlan(), "none"), (FaultPlan(.none, on: .request(2)), "none@2"), (FaultPlan(.status(404)), "status=404"),
        (FaultPlan(.status(429, retryAfter: 2), on: .request(1)), "status=429,2@1"), (FaultPlan(.refused), "refused"),
        (FaultPlan(.hang(.beforeHeaders)), "hang-before-headers"),
        (FaultPlan(.close(.afterHeaders), on: .requests(2...)), "close-after-headers@2-"),
        (FaultPlan(.reset(.midBody), on: .requests(1...3)), "reset-mid-body@1-3"),
        (FaultPlan(.reset(.midBody(after: 5))), "reset-mid-body=5"),
        (FaultPlan(.late(.milliseconds(1500))), "late=1.5"),
        (FaultPlan(.drip(bytesPerSecond: 9)), "drip=9"), (FaultPlan(.outage(for: .seconds(3))), "outage=3"),
        (FaultPlan(.outage(after: 9, for: .seconds(3))), "outage=3,9"),
        (FaultPlan(.lengthTooLong(by: 1)), "length-too-long=1"),
        (FaultPlan(.lengthTooShort(by: 1)), "length-too-short=1"), (FaultPlan(.chunked), "chunked"),
        (FaultPlan(.unframed), "unframed"), (FaultPlan(.noRanges), "no-ranges"),
        (FaultPlan(.wrongRange(by: 7)), "wrong-range=7"), (FaultPlan(.redirect), "redirect"),
        (FaultPlan(.redirectLoop), "redirect-loop"),
        (FaultPlan(.redirectToFile, on: .ranged), "redirect-to-file@ranged"),
        (FaultPlan(.redirect(to: "a://b/c+d@e,f%20")), "redirect-to=a:%2F%2Fb%2Fc%2Bd%40e%2Cf%2520"),
        (FaultPlan(.garbage, on: .on(.segments)), "garbage@segments"),
        (FaultPlan(.empty, on: .on(.playlists)), "empty@playlists"),
        (FaultPlan(.contentType("text/html")), "type=text%2Fhtml"),
        (FaultPlan(.expires(afterRequests: 0)), "expires-requests=0"),
        (FaultPlan(.expires(afterBytes: 8)), "expires-bytes=8"), (FaultPlan(.tls(.trusted)), "tls"),
        (FaultPlan(.tls(.selfSigned)), "tls-self-signed"), (FaultPlan(.tls(.expired)), "tls-expired"),
        (FaultPlan(.tls(.otherHost)), "tls-other-host"), (FaultPlan(.live(window: 3)), "live=3"),
        (FaultPlan(.endlessLive(window: 3)), "live-endless=3"),
        (FaultPlan(.stallingLive(window: 3, after: .seconds(4))), "live-stalls=3,4"),
        (FaultPlan(.duplicateSegment(2)), "duplicate-segment=2"), (FaultPlan(.playlistToFile), "playlist-to-file"),
        (
            FaultPlan(.status(404), on: FaultOccasion(part: .segment(3), requests: 1...1, isRanged: true)),
            "status=404@segment3@ranged@1"
        ),
        (
            FaultPlan(.status(503), on: .request(1)).and(.drip(bytesPerSecond: 20), on: .on(.variant(2))),
            "status=503@1+drip=20@variant2"
        ),
    ]

    @Test(arguments: plans)
    func aPlanIsItsText(plan: FaultPlan, text: String) throws {
        #expect(plan.description == text)
        #expect(try FaultPlan(parsing: text) == plan)
        let coded = try JSONEncoder().encode([plan])
        #expect(try JSONDecoder().decode([String].self, from: coded) == [text])
        #expect(try JSONDecoder().decode([FaultPlan].self, from: coded) == [plan])
    }

    @Test func aFaultIsItsText() throws {
        for fault in Self.plans.flatMap(\.0.steps).map(\.fault) {
            #expect(Fault(fault.description) == fault)
            #expect(try JSONDecoder().decode(Fault.self, from: JSONEncoder().encode(fault)) == fault)
        }
    }

    @Test func everyKindOfFaultIsInTheCatalogueAndInTheseTests() {
        func names(_ plans: [FaultPlan]) -> Set<Substring> {
            Set(plans.flatMap(\.steps).map { $0.fault.description.prefix { $0 != "=" } })
        }
        let catalogue = names(FaultCatalogue.entries.map(\.plan)).union(["none"])
        #expect(catalogue.symmetricDifference(names(Self.plans.map(\.0))).subtracting(Self.points).isEmpty)
        #expect(Set(FaultCatalogue.entries.map(\.plan)).count == FaultCatalogue.entries.count)
        #expect(FaultCatalogue.entries.allSatisfy { !$0.summary.isEmpty })
    }

    /// The combinations of cuts and points, which the list above omits.
    private static let points = Set(
        ["hang", "close", "reset"].flatMap { cut in
            ["before-headers", "after-headers", "mid-body"].map { Substring("\(cut)-\($0)") }
        })

    @Test(arguments: [
        ("", "no fault \"\""), ("nonsense", "no fault \"nonsense\""), ("status", "as in status=404"),
        ("status=999", "as in status=404"), ("status=404,x", "as in status=404"), ("garbage=1", "as in garbage"),
        ("late=-1", "as in late=2"), ("drip=0", "as in drip=20000"), ("live-stalls=3", "as in live-stalls=3,4"),
        ("status=404@", "\"@\" is invalid"), ("status=404@0", "\"@0\" is invalid"),
        ("status=404@3-1", "\"@3-1\" is invalid"), ("status=404@segmentx", "\"@segmentx\" is invalid"),
        ("status=404+", "no fault \"\""), ("hang-mid-body=-1", "as in hang-mid-body"), ("Status=404", "no fault"),
    ])
    func whatIsNoPlanIsSaidToBeNone(text: String, reason: String) throws {
        let error = #expect(throws: FaultSyntaxError.self) { try FaultPlan(parsing: text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(FaultPlan(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([FaultPlan].self, from: JSONEncoder().encode([text]))
        }
    }

    @Test func numbersThatMakeNoSenseAreBroughtIntoTheirRange() {
        #expect(Fault.status(7) == .status(200))
        #expect(Fault.drip(bytesPerSecond: -5) == .drip(bytesPerSecond: 1))
        #expect(Fault.late(.seconds(-1)) == .late(.zero))
        #expect(Fault.hang(.midBody(after: -1)) == .hang(.midBody(after: 0)))
        #expect(Fault.live(window: 0) == .live(window: 1))
    }

    /// The numbers are added to the sizes of files, or count the segments of a playlist.
    @Test func numbersAreLimited() {
        for name in ["length-too-long", "wrong-range", "live", "live-endless", "expires-bytes"] {
            #expect(throws: FaultSyntaxError.self, "\(name)") { try FaultPlan(parsing: "\(name)=\(Int.max)") }
        }
        #expect(throws: FaultSyntaxError.self) { try FaultPlan(parsing: "live-stalls=\(Int.max),1") }
        #expect(Fault.endlessLive(window: .max).description == "live-endless=10000")
        #expect(Fault.stallingLive(window: .max, after: .zero).description == "live-stalls=10000,0")
        #expect(Fault.wrongRange(by: .max).description == "wrong-range=2147483647")
    }
}
