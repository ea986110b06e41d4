import FlowplayerSDK
import Foundation

// The code of the guide to security, word for word.

func limitedItem(_ address: URL) -> PlayerItem {
    var item = PlayerItem(url: address)
    item.securityPolicy = .httpsOnly  // HTTPS and nothing else
    item.securityPolicy.allowedSchemes = ["https", "rtsp"]  // your own choice
    return item
}

@MainActor
func loadWithHeaders(_ view: FlowplayerView, _ address: URL, token: String, segmentServer: URL) {
    var media = MediaExternal(url: address)
    media.httpHeaders = ["Authorization": "Bearer \(token)"]
    media.userAgent = "MyPlayer/2.1"
    media.httpHeaderOrigins = [segmentServer]  // optional
    view.load(external: media)
}
