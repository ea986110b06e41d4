import Foundation

/// A break of a session, with its advertisements and their trackers. Times are in seconds.
struct SessionBreak: Hashable, Sendable {
    /// An advertisement of the break.
    struct Ad: Hashable, Sendable {
        /// The position in the stream.
        let start: Double
        let ad: VASTAd
    }

    let start: Double
    let end: Double
    /// At least one, by their positions.
    let ads: [Ad]
    /// The trackers of `breakStart` and `breakEnd`.
    let tracking: [VASTTracking]

    /// `true` if the break has begun at the position, or a little later.
    func contains(_ position: Double) -> Bool { position > start - StreamBreak.tolerance && position < end }

    /// The break as marks would describe it.
    var marked: StreamBreak { StreamBreak(start: start, end: end, ads: ads.map(\.start)) }
}

extension SessionBreak {
    /// The largest document, in bytes.
    static let largestDocument = VASTDocument.largestSize

    /// Reads the document at the tracking address of a session. `nil` if it is another document.
    ///
    /// Source: AWS Elemental MediaTailor, "Client-side ad-tracking schema and properties". There is no standard.
    static func breaks(in data: Data) -> [SessionBreak]? {
        guard let document = try? JSONDecoder().decode(Document.self, from: data) else { return nil }
        let breaks = document.avails.prefix(AdBreakPlan.mostBreaks).compactMap { SessionBreak($0) }
        return breaks.sorted { $0.start < $1.start }
    }

    fileprivate struct Document: Decodable {
        var avails: [Avail]
    }

    fileprivate struct Avail: Decodable {
        var startTimeInSeconds: Double
        var durationInSeconds: Double
        var ads: [Spot]?
        var adBreakTrackingEvents: [Event]?
    }

    fileprivate struct Spot: Decodable {
        var adId: String?
        var adTitle: String?
        var adSystem: String?
        var creativeId: String?
        var startTimeInSeconds: Double
        var durationInSeconds: Double
        var skipOffset: String?
        var trackingEvents: [Event]?
    }

    fileprivate struct Event: Decodable {
        var eventType: String
        var beaconUrls: [String]?
        var startTimeInSeconds: Double?
    }

    /// `nil` if its times are invalid, or if it has no advertisement.
    private init?(_ avail: Avail) {
        let end = avail.startTimeInSeconds + avail.durationInSeconds
        guard avail.startTimeInSeconds >= 0, end > avail.startTimeInSeconds, end < Self.latest else { return nil }
        let ads = (avail.ads ?? []).prefix(VASTDocument.mostAds).compactMap { Ad($0) }
        guard !ads.isEmpty else { return nil }
        self.init(
            start: avail.startTimeInSeconds, end: end, ads: ads.sorted { $0.start < $1.start },
            tracking: Self.trackers(avail.adBreakTrackingEvents, from: avail.startTimeInSeconds))
    }

    /// The largest time in seconds, some thirty years.
    fileprivate static let latest = 1e9

    fileprivate static func trackers(_ events: [Event]?, from start: Double) -> [VASTTracking] {
        let all = (events ?? []).lazy.flatMap { event in
            (event.beaconUrls ?? []).lazy.map { address in
                let offset = event.startTimeInSeconds.map { VASTOffset.seconds(max(0, $0 - start)) }
                return VASTTracking(event: event.eventType, address: address, offset: offset)
            }
        }
        return Array(all.filter(\.address.hasAddressLength).prefix(VASTDocument.mostTrackers))
    }
}

extension SessionBreak.Ad {
    fileprivate init?(_ spot: SessionBreak.Spot) {
        let end = spot.startTimeInSeconds + spot.durationInSeconds
        guard spot.startTimeInSeconds >= 0, spot.durationInSeconds > 0, end < SessionBreak.latest else { return nil }
        var ad = VASTAd()
        (ad.id, ad.title, ad.system) = (spot.adId, spot.adTitle, spot.adSystem)
        var linear = VASTLinear()
        linear.duration = spot.durationInSeconds
        linear.skipOffset = spot.skipOffset.flatMap { VASTOffset($0) }
        let trackers = SessionBreak.trackers(spot.trackingEvents, from: spot.startTimeInSeconds)
        func addresses(of event: String) -> [String] { trackers.filter { $0.event == event }.map(\.address) }
        ad.impressions = addresses(of: "impression")
        ad.errors = addresses(of: "error")
        linear.clickThrough = addresses(of: "clickThrough").first
        linear.clickTracking = addresses(of: "clickTracking")
        linear.tracking = trackers
        var creative = VASTCreative()
        (creative.id, creative.linear) = (spot.creativeId, linear)
        ad.creatives = [creative]
        self.init(start: spot.startTimeInSeconds, ad: ad)
    }
}
