#if VLC
import FlowplayerFaults
import FlowplayerSDK
import Foundation
import Images
import Playback
import TestSupport
import Testing
import FlowplayerThumbnails

/// WebVTT thumbnails on a server, and the decoding of their images.
@MainActor
@Suite struct ThumbnailImagesTests {
    private static let colours = ["red", "lime", "blue"]

    /// A track of five seconds for each colour. The images are in the same folder.
    private static func track(_ image: String) -> Data {
        let cues = colours.indices.map { index in
            "00:\(String(format: "%02d", index * 5)).000 --> 00:\(String(format: "%02d", index * 5 + 5)).000\n"
                + "\(image)#xywh=\(index * 160),0,160,90\n"
        }
        return Data(("WEBVTT\n\n" + cues.joined(separator: "\n")).utf8)
    }

    private func sprites(_ format: String = "jpg") async throws -> Data {
        try Data(contentsOf: try await MediaFixtures.shared.sprites(Self.colours, format))
    }

    @Test(arguments: ["jpg", "png"])
    func aTrackOnAServerReplacesTheSecondPlayer(_ format: String) async throws {
        let server = try await FaultServer.start(serving: [
            "/film/thumbs.vtt": Self.track("sprites.\(format)"), "/film/sprites.\(format)": try await sprites(format),
        ])
        // The item does not exist, and the network is not allowed for it.
        let item = PlayerItem(url: try #require(URL(string: "https://127.0.0.1:1/film.mp4")))
        let thumbnails = Thumbnails(of: item, track: server.url(for: "/film/thumbs.vtt"))
        for (position, colour) in [(1.0, "red"), (7, "green"), (14.9, "blue"), (0, "red")] {
            let frame = try await thumbnails[at: position]
            #expect(frame.width == 160 && frame.height == 90)
            #expect(frame.primary == colour, "at \(position)")
        }
        await #expect(throws: ThumbnailError.networkNotAllowed) { try await thumbnails[at: 15] }
        await server.stop()
    }

    @Test func aPositionWithoutACueIsReadFromTheItem() async throws {
        let folder = try await MediaFixtures.shared.ramp()
        let track = try await MediaFixtures.shared.bytes(
            "late.vtt", Data("WEBVTT\n\n00:10 --> 00:20\nx.jpg#xywh=0,0,8,8\n".utf8))
        let thumbnails = Thumbnails(of: PlayerItem(url: folder.appending(path: "ramp.mp4")), track: track)
        // The image of the second position does not exist.
        for position in [3.0, 12] {
            #expect(abs(try #require(try await thumbnails[at: position].rampPosition) - position) < 0.4)
        }
    }

    @Test func theSecurityPolicyOfTheItemApplies() async throws {
        let image = try await MediaFixtures.shared.sprites(Self.colours, "png")
        let server = try await FaultServer.start(serving: [
            "/thumbs.vtt": Self.track(image.absoluteString), "/good.vtt": Self.track("good.png"),
            "/good.png": try await sprites("png"),
        ])
        var item = PlayerItem(url: try #require(URL(string: "https://127.0.0.1:1/film.mp4")))
        // A track from the network must not name local files.
        let leaking = Thumbnails(of: item, track: server.url(for: "/thumbs.vtt"))
        await #expect(throws: ThumbnailError.networkNotAllowed) { try await leaking[at: 1] }
        item.securityPolicy = .httpsOnly
        let forbidden = Thumbnails(of: item, track: server.url(for: "/good.vtt"))
        await #expect(throws: ThumbnailError.networkNotAllowed) { try await forbidden[at: 1] }
        item.securityPolicy = .standard
        _ = try await Thumbnails(of: item, track: server.url(for: "/good.vtt"))[at: 1]
        await server.stop()
    }

    @Test func damagedAndHugeImagesAreNotDecoded() async throws {
        let jpeg = try await sprites("jpg")
        let png = try await sprites("png")
        let webp = Data("RIFF\u{10}\0\0\0WEBPVP8 ".utf8)
        for data in [Data(), Data([0xFF, 0xD8]), jpeg.prefix(jpeg.count / 2), png.prefix(png.count / 2), webp] {
            #expect(VideoFrame(imageData: data) == nil)
        }
        for format in ["jpg", "png"] {
            let huge = try await MediaFixtures.shared.sprites(["red", "blue"], format, size: "4200x2000")
            #expect(VideoFrame(imageData: try Data(contentsOf: huge)) == nil)
            let large = try await MediaFixtures.shared.sprites(["red", "blue"], format, size: "4190x2000")
            #expect(VideoFrame(imageData: try Data(contentsOf: large))?.width == 8380)
        }
        let frame = try #require(VideoFrame(imageData: jpeg))
        #expect(frame.width == 480 && frame.height == 90)
        #expect(frame.part(x: 320, y: 0, width: 160, height: 90)?.primary == "blue")
        #expect(frame.part(x: 321, y: 0, width: 160, height: 90) == nil)
        #expect(frame.part(x: 0, y: 0, width: .max, height: 90) == nil)
    }
}

extension VideoFrame {
    /// The name of the primary colour in the middle; `nil` for another colour.
    fileprivate var primary: String? {
        guard let pixel = pixel(x: width / 2, y: height / 2) else { return nil }
        return switch (pixel.red > 200, pixel.green > 200, pixel.blue > 200) {
        case (true, false, false): "red"
        case (false, true, false): "green"
        case (false, false, true): "blue"
        default: nil
        }
    }
}
#endif
