// Writes images of a video file, at equal distances.
import ArgumentParser
import FlowplayerSDK
import FlowplayerThumbnails
import Foundation

@main
struct ThumbnailsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnails", abstract: "Writes images of a video, at equal distances.")

    enum Format: String, ExpressibleByArgument, CaseIterable { case png, jpeg }

    @Argument(help: "The video file.") var file: String
    @Option(help: "The number of images, from 1 to 200.") var count = 10
    @Option(help: "The largest width in pixels, from 16 to 4096.") var width = 320
    @Option(help: "The format of the images.") var format = Format.jpeg
    @Option(help: "A position in seconds. Also writes the frame that a player shows there, in its own size.")
    var screenshot: Double?
    @Option(help: "The folder for the images. It is made if it does not exist.") var output = "."

    func validate() throws {
        guard (1...200).contains(count) else { throw ValidationError("--count must be from 1 to 200.") }
        guard (16...4096).contains(width) else { throw ValidationError("--width must be from 16 to 4096.") }
    }

    @MainActor
    func run() async throws {
        let item = PlayerItem(url: URL(filePath: file))
        let folder = URL(filePath: output, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let player = MediaPlayer(playerItem: item)
            try await player.waitUntilReady()
            guard let duration = player.duration?.seconds, duration > 0 else { throw ThumbnailError.liveStream }
            if let screenshot {
                await player.seek(to: screenshot)
                try save(try await player.screenshot(), as: "screenshot", in: folder, at: screenshot)
            }
            player.stop()
            let thumbnails = Thumbnails(of: item, size: (width, width))
            for number in 0..<count {
                // In the middle of each part, because many videos begin and end in black.
                let position = duration * (Double(number) + 0.5) / Double(count)
                let frame = try await thumbnails[at: position]
                try save(frame, as: String(format: "%03d", number + 1), in: folder, at: position)
            }
        } catch {
            FileHandle.standardError.write(Data("thumbnails: \(error.localizedDescription)\n".utf8))
            throw ExitCode(3)
        }
    }

    @MainActor
    private func save(_ frame: VideoFrame, as name: String, in folder: URL, at position: Double) throws {
        let data = try format == .png ? frame.pngData() : frame.jpegData()
        let file = name + (format == .png ? ".png" : ".jpg")
        try data.write(to: folder.appending(path: file))
        print(file, String(format: "%.2f", position), "\(frame.width)x\(frame.height)")
    }
}
