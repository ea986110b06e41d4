import Foundation
import Playback

/// The way of the reports of an item's advertisements: to the host, and to their servers.
@MainActor
struct AdContext {
    let player: MediaPlayer
    let sender: TrackingSender
    /// Values for macros from the host.
    let macros: [String: String]
    /// `true` if the host has loaded the item to play at once.
    let isAutoplayed: Bool
    /// Returns `true` if the view of the player fills the screen.
    let isFullscreen: @MainActor () -> Bool

    var transport: AdTransport { sender.transport }

    /// Reports to the host.
    func report(_ event: AdEvent) { player.report(event) }

    /// - Parameter plan: the plan of the break; `nil` for an error of the schedule.
    func report(_ error: VASTError, _ plan: AdBreakPlan?, _ ad: VASTAd?) {
        report(.failed(error.adError, plan?.type ?? .unknown, ad?.metadata(plan), vastCode: error.rawValue))
    }

    /// The page that a click opens; `nil` if there is none, or if the item may not open it.
    func clickThrough(of ad: VASTAd, _ macros: AdMacros) -> URL? {
        guard let page = ad.linear?.clickThrough.flatMap({ macros.address($0) }),
            transport.allows(page: page, from: ad.origin)
        else { return nil }
        return page
    }

    /// Reports a click of the viewer, and the page that the host opens meanwhile.
    func reportClick(_ event: AdEvent, _ page: URL?) {
        let generation = player.snapshot.generation
        report(event)
        // The host may have loaded another item in its callback.
        guard let page, player.snapshot.generation == generation else { return }
        player.pause()
        report(.clickThrough(page))
    }

    /// Calls trackers.
    ///
    /// - Parameters:
    ///   - ad: their advertisement; `nil` for those of a break.
    ///   - position: the position in the advertisement, in seconds.
    ///   - values: values for macros.
    func track(_ trackers: [String], _ ad: VASTAd? = nil, _ position: Double = 0, _ values: [String: String] = [:]) {
        guard !trackers.isEmpty else { return }
        sender.send(trackers, macros(ad, position, values))
    }

    /// Calls the trackers of an event of a break.
    func track(_ event: String, of plan: AdBreakPlan) { track(plan.trackers(of: event), nil, 0, plan.type.macros) }

    /// The values of macros now.
    func macros(_ ad: VASTAd? = nil, _ position: Double = 0, _ values: [String: String] = [:]) -> AdMacros {
        let snapshot = player.snapshot
        let states = [snapshot.isMuted ? "muted" : nil, isFullscreen() ? "fullscreen" : nil]
        var macros = AdMacros(values: [
            "MEDIAPLAYHEAD": AdMacros.time(snapshot.position), "CONTENTPLAYHEAD": AdMacros.time(snapshot.position),
            "ADPLAYHEAD": AdMacros.time(position), "PLAYERSTATE": states.compactMap(\.self).joined(separator: ","),
            "VASTVERSIONS": "2,3,5,6,7,8,11,12,13,14",
            "PLAYERCAPABILITIES": "skip,mute",
            // The views of this package have a button for the page.
            "APIFRAMEWORKS": "", "CLICKTYPE": "2",
        ])
        if isAutoplayed { macros.values["INVENTORYSTATE"] = snapshot.isMuted ? "mautoplayed" : "autoplayed" }
        if let url = snapshot.item?.url { macros.values["CONTENTURI"] = url.redacted }
        if let ad {
            let ids = ad.linearCreative?.universalAdIDs.map { "\($0.registry ?? "unknown") \($0.value)" } ?? []
            macros.values["UNIVERSALADID"] = ids.isEmpty ? nil : ids.joined(separator: ",")
            macros.values["ADTYPE"] = ad.type ?? "video"
            macros.values["ADSERVINGID"] = ad.servingID
            macros.values["ADCATEGORIES"] =
                ad.categories.isEmpty ? nil : ad.categories.map(\.value).joined(separator: ",")
        }
        macros.values.merge(self.macros) { $1 }
        macros.values.merge(values) { $1 }
        return macros
    }
}

extension VASTAd {
    /// The metadata for the host.
    func metadata(_ plan: AdBreakPlan?) -> IMAMetadata {
        var metadata = IMAMetadata()
        metadata.type = plan?.type ?? .unknown
        metadata.adBreak = plan?.adBreak
        metadata.adId = id
        metadata.adTitle = title
        metadata.adDescription = description
        metadata.adSystem = system
        metadata.adDuration = linear?.duration
        metadata.advertiserName = advertiser
        metadata.creativeId = linearCreative?.id
        return metadata
    }
}

extension Advertisement {
    /// Adds the title, the page and the skip position, which may depend on the duration.
    mutating func describe(_ ad: VASTAd, _ clickThrough: URL?) {
        title = ad.title
        skipPosition = ad.linear?.skipOffset?.seconds(of: duration)
        self.clickThrough = clickThrough
    }
}
