import FlowplayerSDK
import Foundation

// A host with advertisements as it is written for the original SDK. Only the line with the plugin is new.

class AdController: ViewController {
    let playerView: FlowplayerView
    var lines: [String] = []
    var notifications: [String] = []
    /// Called in each state, in place of a viewer.
    var react: (AdState) -> Void = { _ in }
    var observers: [NSObjectProtocol] = []

    init(playerView: FlowplayerView) {
        self.playerView = playerView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        playerView.adDelegate = self
        playerView.daiDelegate = self
        playerView.autoPlay = true
    }

    /// The waterfall of the original's sample.
    func waterfall(_ tags: [String]) -> MediaExternal {
        let schedule = AdScheduleWaterfall(
            preAdBreak: AdBreak(adTags: tags),
            midAdBreak: [AdBreak(adTags: tags, offset: 2), AdBreak(adTags: tags, offset: 4)],
            postAdBreak: nil
        )
        return MediaExternal(url: URL(string: "https://media.example/film.mp4")!, adSchedule: schedule)
    }

    func play(_ film: URL, with schedule: URL) {
        playerView.load(external: MediaExternal(url: film, adSchedule: AdScheduleRemote(url: schedule)))
    }

    func playStream(_ backup: URL) {
        playerView.load(dai: MediaDAI(stream: DAIStreamLive(assetKey: "key", backupStream: backup)))
    }

    func observe(_ center: NotificationCenter) {
        for name in [Notification.Name.flowplayerAdDidChangeState, .flowplayerAdDidFail, .flowplayerStreamDidFail] {
            observers.append(
                center.addObserver(forName: name, object: nil, queue: nil) { notification in
                    let line: String
                    switch notification.object {
                    case let (state, type) as (AdState, AdType): line = "\(state) \(type)"
                    case let error as AdError:
                        line = "\(name == .flowplayerAdDidFail ? "failed" : "stream failed") \(error)"
                    default: line = "something else"
                    }
                    MainActor.assumeIsolated { self.notifications.append(line) }
                })
        }
    }
}

extension AdController: FlowplayerAdDelegate {
    func player(_ player: FlowplayerAPI, didChangeAdState state: AdState, for adType: AdType) {
        lines.append("\(state) \(adType)")
        react(state)
    }

    func player(_ player: FlowplayerAPI, didAdFailWith error: AdError) {
        lines.append("failed \(error)")
    }
}

extension AdController: FlowplayerDAIDelegate {
    func player(_ player: FlowplayerAPI, didStreamChangeState state: DAIStateStream) {
        lines.append("stream \(state)")
    }

    func player(_ player: FlowplayerAPI, didStreamFailWith error: AdError) {
        lines.append("stream failed \(error)")
    }
}
