#if GTK
import CGTK
import FlowplayerGTK
import FlowplayerSDK
import Foundation

/// Measures the memory of actions that a user repeats.
@MainActor
enum Growth {
    /// The bytes that the program has allocated and not released.
    static var bytesInUse: Int {
        let information = mallinfo2()
        return Int(information.uordblks + information.hblkhd)
    }

    /// Shows titles and messages of 10,000 characters.
    static func titles(_ window: GTKPlayerWindow) async {
        await measure(first: 200, then: 1000) { number in
            let text = "\(number) " + String(repeating: "long <b>&", count: 1000)
            window.title = text
            window.view.controls.show(message: text)
            var media = MediaExternal(url: URL(filePath: "/no/such/\(number).mp4"))
            media.metadata.title = text
            window.view.player.load(external: media)
            // GTK draws while the task waits.
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Opens a folder with clips, as after a drop, and waits until one of them is painted.
    static func folders(_ window: GTKPlayerWindow, _ folder: URL) async {
        await measure(first: 10, then: 50) { _ in
            let painted = window.view.paintedFrames
            await window.view.open([folder])
            while window.view.player.state != .play || window.view.paintedFrames < painted + 5 {
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// Prints the growth for each repetition, in bytes. The first ones fill caches, and are not counted.
    private static func measure(first: Int, then count: Int, _ action: (Int) async -> Void) async {
        for number in 0..<first { await action(number) }
        let before = bytesInUse
        for number in 0..<count { await action(number) }
        GTKProgram.say("growth \((bytesInUse - before) / count)")
        GTKApplication.quit()
    }
}
#endif
