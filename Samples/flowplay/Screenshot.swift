import FlowplayerSDK
import Foundation
import Images

/// Saves the frame that is shown.
enum Screenshot {
    /// Writes a PNG file into the current folder, and never replaces one.
    ///
    /// - Returns: a message for the user.
    @MainActor
    static func save(_ view: FlowplayerView) async -> String {
        do {
            return "Saved \(try await write(try await view.screenshot()))"
        } catch {
            return "No frame was saved: \(error.localizedDescription)"
        }
    }

    /// Returns the name of the file.
    @concurrent private static func write(_ frame: VideoFrame) async throws -> String {
        let data = try frame.pngData()
        var number = 1
        while true {
            let name = "flowplay-\(number).png"
            do {
                try data.write(to: URL(filePath: name), options: .withoutOverwriting)
                return name
            } catch CocoaError.fileWriteFileExists {
                number += 1
            }
        }
    }
}
