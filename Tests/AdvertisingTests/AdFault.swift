import FlowplayerFaults
import FlowplayerTesting
import Foundation
import Playback
import Testing

@testable import Advertising

/// One way to an error of VAST: a break before the item that goes wrong. `{s}` stands for the address of the server.
///
/// The break has the document `/tag`. A wrapper leads to `/next`. The table of `Docs/Advertising.md` lists the cases.
struct AdFault: Sendable, CustomTestStringConvertible {
    /// The part of the advertisement that plays.
    enum Shown: String, Sendable {
        case nothing = "no"
        case start = "until then"
        case everything = "yes"
    }

    /// The media file.
    enum Media: Sendable {
        case simulated(SimulatedMedia)
        /// A real file of so many seconds, which a real engine plays.
        case file(seconds: Double)
        /// A page in the place of the file.
        case page
    }

    let code: Int
    let name: String
    var shown = Shown.nothing
    var document = VASTSamples.inline(server: "{s}")
    /// The document of a wrapper's address.
    var next: String?
    /// The faults of the server, by path.
    var faults: [String: Fault] = [:]
    var media = Media.simulated(SimulatedMedia(duration: 2))
    var configure: @Sendable (inout AdOptions) -> Void = { _ in }
    /// The errors of a host that cannot show a part of the advertisement.
    var reported: VASTError?
    /// The paths of the trackers of errors that are called.
    var trackers = ["/ad/error"]

    var testDescription: String { "\(code) \(name)" }

    /// An answer that nobody waits for.
    private static let tooLate = Fault.late(.seconds(60))

    /// The paths whose answers come too late.
    var latePaths: Set<String> { Set(faults.filter { $0.value == Self.tooLate }.keys) }

    var isPlayedByEngine: Bool { if case .simulated = media { false } else { true } }

    var simulatedMedia: SimulatedMedia {
        if case .simulated(let media) = media { media } else { SimulatedMedia(duration: 2) }
    }
}

extension AdFault {
    static let all = documents + contents + wrappers + files + parts + hosts

    private static func replacing(_ old: String, by new: String) -> String {
        VASTSamples.inline(server: "{s}").replacingOccurrences(of: old, with: new)
    }

    private static func wrapper(_ attributes: String = "", inner: String = "") -> String {
        VASTSamples.wrapper(to: "{s}/next", attributes: attributes, server: "{s}/w").replacingOccurrences(
            of: "<AdSystem>", with: inner + "<AdSystem>")
    }

    private static func simulated(_ error: PlaybackErrorCode, at position: Double? = nil) -> Media {
        .simulated(SimulatedMedia(duration: 2, failure: .init(at: position, error: PlaybackError(error, url: nil))))
    }

    private static func linear(_ files: String) -> String {
        VASTSamples.inline(
            server: "{s}", linear: "<Duration>00:00:02</Duration><MediaFiles>\(files)</MediaFiles>")
    }

    private static let empty = "<VAST version=\"3.0\"><Error>{s}/ad/error?code=[ERRORCODE]</Error></VAST>"

    private static let manyElements =
        "<VAST version=\"3.0\">" + String(repeating: "<Ad/>", count: 200_000) + "</VAST>"

    private static let bomb: String = {
        let entities = (1...9).map { "<!ENTITY e\($0) \"" + String(repeating: "&e\($0 - 1);", count: 10) + "\">" }
        return
            "<!DOCTYPE VAST [<!ENTITY e0 \"ha\">\(entities.joined())]><VAST version=\"3.0\"><Error>&e9;</Error></VAST>"
    }()

    // MARK: Documents

    /// Nobody can be called: the document does not say who.
    private static func broken(_ code: Int, _ name: String, _ document: String) -> AdFault {
        AdFault(code: code, name: name, document: document, trackers: [])
    }

    private static let documents = [
        broken(100, "the XML is broken", "<VAST version=\"3.0\"><Ad>"),
        broken(100, "the document is JSON", "{\"ads\": []}"),
        broken(100, "the document has 10 MB", "<VAST version=\"3.0\">" + String(repeating: " ", count: 10_000_000)),
        broken(100, "a billion entities", bomb),
        broken(100, "200,000 elements", manyElements),
        broken(100, "600,000 nested elements", String(repeating: "<a>", count: 600_000)),
        broken(101, "the document is a page", "<html><body>Sign in</body></html>"),
        broken(101, "there is no version", "<VAST><Ad/></VAST>"),
        AdFault(code: 101, name: "the duration is no time", document: replacing("00:00:02", by: "soon")),
        broken(101, "a wrapper without an address", "<VAST version=\"3.0\"><Ad><Wrapper/></Ad></VAST>"),
        broken(102, "version 1.0", "<VAST version=\"1.0\"/>"),
        broken(102, "version 7.0", "<VAST version=\"7.0\"/>"),
    ]

    // MARK: Contents

    private static let contents = [
        AdFault(code: 200, name: "the type is unknown", document: replacing("<Ad id", by: "<Ad adType=\"smell\" id")),
        AdFault(
            code: 201, name: "only a non-linear part",
            document: VASTSamples.inline(server: "{s}").replacing(
                /<Linear>[\s\S]*<\/Linear>/, with: "<NonLinearAds><NonLinear/></NonLinearAds>")),
        AdFault(
            code: 202, name: "the media file lasts for ever", shown: .start,
            media: .simulated(SimulatedMedia(duration: nil))),
        AdFault(
            code: 202, name: "the media file is longer than the document says", shown: .start,
            document: replacing("00:00:02", by: "00:00:00.500"), media: .file(seconds: 30)),
        AdFault(
            code: 203, name: "the media file has other proportions", shown: .everything,
            document: replacing("height=\"180\"", by: "height=\"900\""), media: .file(seconds: 1)),
        AdFault(
            code: 204, name: "a wrapper blocks categories, and the advertisement has none",
            document: wrapper(inner: "<BlockedAdCategories>IAB2</BlockedAdCategories>"),
            next: VASTSamples.inline(server: "{s}"), trackers: ["/w/error", "/ad/error"]),
        AdFault(
            code: 205, name: "a wrapper blocks the category",
            document: wrapper(inner: "<BlockedAdCategories>IAB2</BlockedAdCategories>"),
            next: VASTSamples.inline(server: "{s}", extra: "<Category>IAB2</Category>"),
            trackers: ["/w/error", "/ad/error"]),
        AdFault(code: 206, name: "longer than `longestBreak`", configure: { $0.longestBreak = .seconds(1) }),
    ]

    // MARK: Wrappers

    private static func wrapped(
        _ code: Int, _ name: String, _ document: String = wrapper(), next: String? = nil,
        _ faults: [String: Fault] = [:],
        trackers: [String] = ["/w/error"]
    ) -> AdFault {
        AdFault(code: code, name: name, document: document, next: next, faults: faults, trackers: trackers)
    }

    private static func wrapper(to address: String) -> String {
        VASTSamples.wrapper(to: address, server: "{s}/w")
    }

    private static let thousand =
        "<VAST version=\"3.0\">"
        + (1...1000).map {
            "<Ad sequence=\"\($0)\"><Wrapper><Error>{s}/w/error?code=[ERRORCODE]</Error><VASTAdTagURI>{s}/next?\($0)</VASTAdTagURI></Wrapper></Ad>"
        }.joined() + "</VAST>"

    private static let wrappers = [
        AdFault(code: 300, name: "the first document: status 404", faults: ["/tag": .status(404)], trackers: []),
        AdFault(
            code: 300, name: "the first document: a redirect to a file", faults: ["/tag": .redirectToFile], trackers: []
        ),
        wrapped(300, "a wrapper: status 500", next: empty, ["/next": .status(500)]),
        wrapped(300, "a wrapper: the connection is reset", next: empty, ["/next": .reset(.midBody)]),
        wrapped(300, "a wrapper: redirects without end", next: empty, ["/next": .redirectLoop]),
        wrapped(300, "a wrapper: a redirect to a file", next: empty, ["/next": .redirectToFile]),
        wrapped(300, "a wrapper names a file", wrapper(to: "file:///etc/passwd")),
        wrapped(300, "a wrapper names no address", wrapper(to: "http://[")),
        AdFault(code: 301, name: "the first document comes after a minute", faults: ["/tag": tooLate], trackers: []),
        wrapped(301, "a wrapper's document comes after a minute", next: empty, ["/next": tooLate]),
        wrapped(302, "a wrapper leads to itself", next: wrapper()),
        wrapped(302, "a thousand wrappers, each to a thousand", thousand, next: thousand),
        wrapped(
            302, "a wrapper after one that allows none", wrapper(" followAdditionalWrappers=\"false\""), next: wrapper()
        ),
        AdFault(code: 303, name: "no advertisement", document: empty),
        AdFault(code: 303, name: "the document is empty", document: "", trackers: []),
        wrapped(303, "no advertisement after a wrapper", next: empty, trackers: ["/w/error", "/ad/error"]),
        AdFault(
            code: 304, name: "the media file opens, and its first frame does not come", shown: .start,
            media: .simulated(SimulatedMedia(duration: 2, stalls: [.init(at: 0, for: 100)]))),
    ]

    // MARK: Media files

    private static func file(
        _ code: Int, _ name: String, shown: Shown = .nothing, seconds: Double = 1, _ fault: Fault
    ) -> AdFault {
        AdFault(code: code, name: name, shown: shown, faults: ["/ad.mp4": fault], media: .file(seconds: seconds))
    }

    private static let files = [
        AdFault(
            code: 400, name: "the media file is a file of this machine",
            document: replacing("{s}/ad.mp4", by: "file:///etc/passwd")),
        file(400, "the media file: a redirect to a file", .redirectToFile),
        AdFault(code: 400, name: "the media file breaks off", shown: .start, media: simulated(.connectionLost, at: 1)),
        AdFault(
            code: 400, name: "no part is linear",
            document: VASTSamples.inline(server: "{s}").replacing(/<Linear>[\s\S]*<\/Linear>/, with: "")),
        file(401, "the media file: status 404", .status(404)),
        file(401, "the media file: status 403", .status(403)),
        AdFault(code: 401, name: "the media file: the host is unknown", media: simulated(.hostNotFound)),
        file(402, "the media file comes after a minute", tooLate),
        AdFault(
            code: 402, name: "the media file stops", shown: .start,
            media: .simulated(SimulatedMedia(duration: 2, stalls: [.init(at: 1, for: 100)]))),
        AdFault(code: 403, name: "no media file", document: linear("")),
        AdFault(
            code: 403, name: "no media file of a supported type", document: replacing("video/mp4", by: "video/x-flv")),
        AdFault(
            code: 403, name: "a media file without an address",
            document: linear("<MediaFile delivery=\"progressive\" type=\"video/mp4\"> </MediaFile>")),
        AdFault(code: 405, name: "the media file is a page", media: .page),
        file(405, "the media file is empty", .empty),
    ]

    // MARK: Parts

    private static let parts = [
        AdFault(
            code: 408, name: "a conditional advertisement",
            document: replacing("<Ad id", by: "<Ad conditionalAd=\"true\" id")),
        AdFault(
            code: 409, name: "an interactive part (SIMID)", shown: .everything,
            document: replacing(
                "<MediaFiles>",
                by:
                    "<MediaFiles><InteractiveCreativeFile apiFramework=\"SIMID\">{s}/x.html</InteractiveCreativeFile>")
        ),
        AdFault(
            code: 410, name: "a verification script", shown: .everything,
            document: VASTSamples.inline(
                server: "{s}", extra: "<AdVerifications><Verification vendor=\"v\"/></AdVerifications>")),
        AdFault(
            code: 602, name: "it requires companions, and the host shows none",
            document: replacing(
                "<Creative id", by: "<Creative><CompanionAds required=\"all\"/></Creative><Creative id")),
        AdFault(code: 900, name: "the engine fails", media: simulated(.engineFailed)),
        AdFault(
            code: 901, name: "a program (VPAID)",
            document: replacing(
                "type=\"video/mp4\"", by: "type=\"application/javascript\" apiFramework=\"VPAID\"")),
    ]

    // MARK: Hosts

    private static let rejections: [VASTError] = [.missingMezzanine, .convertingMezzanine, .invalidMezzanine]
    private static let unshown: [VASTError] = [
        .nonLinearFailed, .nonLinearSize, .nonLinearNotFound, .noSupportedNonLinear, .companionFailed, .companionSize,
        .companionNotFound, .noSupportedCompanion, .interactiveFailed,
    ]

    private static let hosts =
        rejections.map { error in
            AdFault(
                code: error.rawValue, name: "`options.accept` throws it",
                configure: { $0.accept = { (_) throws(VASTError) in throw error } })
        }
        + unshown.map {
            AdFault(code: $0.rawValue, name: "`ads.didFail(with:)` reports it", shown: .everything, reported: $0)
        }
}

extension AdFault {
    /// The table of the document.
    static var table: String {
        let rows = all.sorted { $0.code < $1.code }.map { fault in
            let calls = fault.trackers.isEmpty ? "no" : "yes"
            return "| \(fault.code) | \(fault.name) | \(fault.shown.rawValue) | \(calls) |"
        }
        return (["| number | case | is it shown | is its server called |", "|---|---|---|---|"] + rows).joined(
            separator: "\n")
    }
}
