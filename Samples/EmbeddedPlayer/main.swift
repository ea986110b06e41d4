// Plays a file in a loop, until Ctrl-C. The smallest program that embeds a player. README shows it.
import FlowplayerSDK
import Foundation

guard CommandLine.arguments.count == 2 else {
    print("usage: embedded-player FILE")
    exit(2)
}

let view = FlowplayerView()
let token = view.observe(\.state) { player, state in
    print(state.name, player.position?.seconds ?? 0)
    if state == .complete { player.play() }  // from the beginning
    guard let error = player.error else { return }
    print(error.localizedDescription)
    exit(1)
}
view.autoPlay = true
view.load(external: MediaExternal(url: URL(filePath: CommandLine.arguments[1])))
RunLoop.main.run()
