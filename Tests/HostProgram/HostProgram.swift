// A program with an `async` main. Tests run it in another process.
import FlowplayerSDK
import Foundation

@main @MainActor
struct HostProgram {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else {
            print("usage: host-program exit|observe|busy|command FILE MILLISECONDS")
            exit(2)
        }
        let address = arguments[2].contains("://") ? URL(string: arguments[2]) : nil
        let media = MediaExternal(url: address ?? URL(filePath: arguments[2]))
        let delay = Duration.milliseconds(Int(arguments[3]) ?? 0)
        let view = FlowplayerView()
        view.autoPlay = true
        switch arguments[1] {
        case "exit":
            view.load(external: media)
            if delay > .zero { try await Task.sleep(for: delay) }
            exit(0)
        case "observe":
            // Events of the engine reach an observer on the main queue.
            observe()
            view.load(external: media)
            for await event in view.events(startsWithCurrent: true) where event == .state(.play) { break }
            exit(0)
        case "busy":
            // Tasks that compute leave no thread of Swift's pool to others.
            for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                Task.detached { while true { sched_yield() } }
            }
            observe()
            view.load(external: media)
            try await Task.sleep(for: .seconds(3600))
        default:
            // A command of a task does not.
            try await Task.sleep(for: delay)
            observe()
            view.load(external: media)
            exit(0)
        }
    }

    private static func observe() {
        _ = NotificationCenter.default.addObserver(
            forName: .flowplayerDidChangeState, object: nil, queue: .main
        ) { notification in
            guard let state = notification.object as? PlayerState else { return }
            MainActor.assumeIsolated {
                print("observed", state.name)
                fflush(nil)
            }
        }
    }
}
