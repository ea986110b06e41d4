/// The document of a session, as AWS Elemental MediaTailor writes it.
enum SessionDocument {
    /// The trackers of an advertisement that is played to its end.
    static let trackers = [
        "impression", "start", "firstQuartile", "progress", "midpoint", "thirdQuartile", "complete",
    ]

    /// Breaks, each of two advertisements, `a` and `b`. The second one can be skipped after 1 s.
    ///
    /// - Parameters:
    ///   - starts: the positions of the breaks.
    ///   - length: that of an advertisement, in seconds.
    ///   - server: the address of the trackers.
    static func text(_ starts: [Double], length: Double = 4, server: String = "http://ads.test") -> String {
        let breaks = starts.map { start in
            let ads = [
                ad("a", at: start, length, server), ad("b", at: start + length, length, server, skip: "\"00:00:01\""),
            ]
            let events = ["breakStart", "breakEnd"].map { event($0, "\(server)/\(Int(start))/\($0)", start) }
            return """
                {"startTimeInSeconds": \(start), "durationInSeconds": \(2 * length), "ads": [\(ads.joined(separator: ","))],
                 "adBreakTrackingEvents": [\(events.joined(separator: ","))]}
                """
        }
        return "{\"avails\": [\(breaks.joined(separator: ","))], \"nextToken\": \"x\"}"
    }

    static func ad(
        _ name: String, at start: Double, _ length: Double = 4, _ server: String = "http://ads.test",
        skip: String = "null"
    ) -> String {
        let others = ["pause", "resume", "mute", "skip", "clickTracking", "fullscreen"]
        var events = (trackers + others).map { type in
            event(type, "\(server)/\(name)/\(type)", type == "progress" ? start + 0.3 * length : start)
        }
        events.append(event("clickThrough", "http://shop.test/\(name)", start))
        return """
            {"adId": "\(name)", "adTitle": "Title \(name)", "startTimeInSeconds": \(start), "durationInSeconds": \(length),
             "skipOffset": \(skip), "companionAds": [], "trackingEvents": [\(events.joined(separator: ","))]}
            """
    }

    private static func event(_ type: String, _ address: String, _ start: Double) -> String {
        """
        {"eventType": "\(type)", "beaconUrls": ["\(address)"], "startTimeInSeconds": \(start), "durationInSeconds": 0}
        """
    }
}
