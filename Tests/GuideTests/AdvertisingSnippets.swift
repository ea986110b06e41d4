import Advertising
import FlowplayerSDK
import Foundation
import Playback

// The code of the guide to advertisements.

@MainActor
func playWithAdvertisements(_ film: URL, _ schedule: URL, in view: FlowplayerView, _ host: any FlowplayerAdDelegate) {
    let ads = AdPlugin()
    view.attach(ads)
    view.adDelegate = host
    view.load(external: MediaExternal(url: film, adSchedule: AdScheduleRemote(url: schedule)))
}

@MainActor
func showAdvertisement(of view: FlowplayerView, in label: Label) -> ObservationToken {
    view.observe(\.advertisement, startsWithCurrent: true) { view, ad in
        guard let ad else { return label.hide() }
        label.show("Ad \(ad.number) of \(ad.count)", rest: ad.remainingTime, canSkip: ad.canSkip)
    }
}

@MainActor
func playStream(_ stream: URL, in view: FlowplayerView, _ host: any FlowplayerDAIDelegate) {
    view.attach(AdPlugin())
    view.daiDelegate = host
    view.load(external: MediaExternal(url: stream))
}

@MainActor
func playSession(in view: FlowplayerView) {
    let ads = AdPlugin()
    ads.options.sessions.vod = "https://ssai.example/vod/[CONTENTSOURCEID]/[VIDEOID]?r=[CACHEBUSTING]"
    ads.options.sessions.live = "https://ssai.example/live/[ASSETKEY]"
    view.attach(ads)
    let backup = URL(string: "https://media.example/film.m3u8")
    view.load(dai: MediaDAI(stream: DAIStreamVOD(contentSourceID: "films", videoID: "7", backupStream: backup)))
}

@MainActor
func showCompanions(of ads: AdPlugin) {
    guard let ad = ads.currentAd else { return }
    for companion in ad.companions {
        guard case .file(let image, _) = companion.resources.first else {
            ads.didFail(with: .noSupportedCompanion)
            continue
        }
        show(image, width: companion.width)
        ads.didShow(companion)
    }
}

@MainActor
func makeAds() -> AdPlugin {
    var options = AdOptions()
    options.timeout = .seconds(3)
    options.longestBreak = .seconds(60)
    options.media.bitRate = 2_000_000
    options.macros["GDPRCONSENT"] = "CO-consent-string"
    options.accept = { (ad) throws(VASTError) in
        if ad.advertiser == "A competitor" { throw .blockedCategory }
    }
    return AdPlugin(options: options)
}

@MainActor
struct Label {
    func hide() {}
    func show(_ text: String, rest: Double?, canSkip: Bool) {}
}

@MainActor
private func show(_ image: URL, width: Int?) {}
