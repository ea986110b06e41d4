// Plays an item with advertisements. The ad server is a small server in this program, which prints the trackers that are called.
import Advertising
import FlowplayerSDK
import Foundation

@main
struct Ads {
    private static let clip = URL(filePath: #filePath).appending(path: "../../Media/sample.mp4").standardized

    @MainActor
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count <= 2, arguments.allSatisfy({ !$0.hasPrefix("-") }) else {
            print("usage: ads [AD-FILE [ITEM-FILE]]")
            exit(2)
        }
        let files = arguments.map { URL(filePath: $0) }
        guard let server = try? await AdServer(ad: files.first ?? clip) else {
            print("ads: the server could not start")
            exit(1)
        }

        let view = FlowplayerView()
        let host = AdHost()
        view.adDelegate = host
        var options = AdOptions()
        // The standard 5 s and 2.5 s are too short for a busy machine.
        (options.timeout, options.documentTimeout) = (.seconds(60), .seconds(30))
        let ads = AdPlugin(options: options)
        view.attach(ads)
        view.autoPlay = true
        let item = files.count > 1 ? files[1] : clip
        view.load(external: MediaExternal(url: item, adSchedule: AdScheduleRemote(url: server.schedule)))
        for await event in view.events() {
            switch event {
            case .playbackState(let state):
                print("playbackState", state)
                guard state == .ended else { break }
                await ads.finishTracking()
                exit(0)
            case .error(let error):
                FileHandle.standardError.write(Data("ads: \(error.message)\n".utf8))
                exit(1)
            default: break
            }
        }
    }
}

/// Prints the events of advertisements.
@MainActor
final class AdHost: FlowplayerAdDelegate {
    func player(_ player: any FlowplayerAPI, didChangeAdState state: AdState, for adType: AdType) {
        print("ad", state, adType)
    }

    func player(
        _ player: any FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?
    ) {
        print("ad failed", type, error)
    }

    func player(_ player: any FlowplayerAPI, didRequestPage url: URL) { print("open", url) }
}
