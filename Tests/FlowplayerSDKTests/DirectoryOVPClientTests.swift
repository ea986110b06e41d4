import FlowplayerSDK
import Foundation
import Testing

@Suite final class DirectoryOVPClientTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "ovp-\(UUID().uuidString)")
    private let configs: URL

    init() throws {
        configs = folder.appending(path: "configs", directoryHint: .isDirectory)
        try write(#"{"src": "/srv/secret.mp4"}"#, to: "secret.json")
        try write(#"{"src": "clip.mp4"}"#, to: "configs/clip.json")
        try write(#"{"src": "kiosk.mp4"}"#, to: "configs/kiosk/clip.json")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, to path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func request(_ mediaId: String, _ playerId: String = "p") -> OVPRequest {
        OVPRequest(mediaId: mediaId, playerId: playerId, accessToken: nil)
    }

    // MARK: A folder

    @Test func aPlayersOwnConfigComesFirst() async throws {
        let client = DirectoryOVPClient(directory: configs)
        #expect(try await client.config(for: request("clip", "lobby")).src == ["\(configs)clip.mp4"])
        #expect(try await client.config(for: request("clip", "kiosk")).src == ["\(configs)kiosk.mp4"])
    }

    @Test func whatIsNotThereIsNotFound() async {
        let client = DirectoryOVPClient(directory: configs)
        let nowhere = DirectoryOVPClient(directory: folder.appending(path: "nowhere"))
        await #expect(throws: OVPError.notFound) { try await client.config(for: self.request("other")) }
        await #expect(throws: OVPError.notFound) { try await nowhere.config(for: self.request("clip")) }
    }

    @Test(arguments: ["../secret", "..", ".", "", "/", "kiosk/clip", "kiosk/../clip", "../configs/clip", "clip\0"])
    func nothingOutsideIsRead(id: String) async {
        let client = DirectoryOVPClient(directory: configs)
        await #expect(throws: OVPError.notFound) { try await client.config(for: self.request(id)) }
        await #expect(throws: OVPError.notFound) { try await client.config(for: self.request("clip", id)) }
        await #expect(throws: OVPError.notFound) { try await client.config(for: self.request("secret", id)) }
    }

    @Test(arguments: ["a b", "ü?#%20", "..x", "a:b", "-", String(repeating: "x", count: 200)])
    func idsMayHaveOddCharacters(id: String) async throws {
        try write(#"{"src": "odd.mp4"}"#, to: "configs/\(id).json")
        let config = try await DirectoryOVPClient(directory: configs).config(for: request(id))
        #expect(config.src == ["\(configs)odd.mp4"])
    }

    @Test func anIdThatIsTooLongForAFileIsNotFound() async {
        let id = String(repeating: "x", count: 5000)
        let client = DirectoryOVPClient(directory: configs)
        await #expect(throws: OVPError.notFound) { try await client.config(for: self.request(id, id)) }
    }

    @Test func whatIsNoFileIsRefused() async throws {
        let client = DirectoryOVPClient(directory: configs)
        try FileManager.default.createDirectory(
            at: configs.appending(path: "folder.json"), withIntermediateDirectories: true)
        #expect(mkfifo(configs.appending(path: "pipe.json").path, 0o600) == 0)
        for id in ["folder", "pipe"] {
            await #expect(throws: OVPError.invalidConfig(reason: "\(id).json is not a file.")) {
                try await client.config(for: self.request(id))
            }
        }
    }

    @Test func aFileThatCannotBeUsedIsRefused() async throws {
        let client = DirectoryOVPClient(directory: configs)
        try write("", to: "configs/empty.json")
        try write(#"{"src": []}"#, to: "configs/sourceless.json")
        try write(#"{"src": 5}"#, to: "configs/five.json")
        try write(String(repeating: " ", count: 1_000_001), to: "configs/long.json")
        let reasons = [
            ("empty", "It is empty."), ("sourceless", "`src` contains no playable address."),
            ("five", "`src` must be a string."), ("long", "It is larger than 1 MB."),
        ]
        for (id, reason) in reasons {
            await #expect(throws: OVPError.invalidConfig(reason: reason)) {
                try await client.config(for: self.request(id))
            }
        }
    }

    @Test func aLinkIsFollowed() async throws {
        try FileManager.default.createSymbolicLink(
            at: configs.appending(path: "link.json"), withDestinationURL: folder.appending(path: "secret.json"))
        let config = try await DirectoryOVPClient(directory: configs).config(for: request("link"))
        #expect(config.mediaURL?.path == "/srv/secret.mp4")
    }

    // MARK: One file

    @Test func oneConfigServesEveryItem() async throws {
        let client = DirectoryOVPClient(file: configs.appending(path: "clip.json"))
        for id in ["clip", "other", "../x"] {
            #expect(try await client.config(for: request(id)).src == ["\(configs)clip.mp4"])
        }
    }

    @Test func configsAreDistinguishedByTheirIds() async throws {
        try write(#"{"a/1": {"src": "a.mp4"}, "b": {"src": 5}, "c": null}"#, to: "configs/all.json")
        let client = DirectoryOVPClient(file: configs.appending(path: "all.json"))
        #expect(try await client.config(for: request("a/1")).src == ["\(configs)a.mp4"])
        await #expect(throws: OVPError.invalidConfig(reason: "`b.src` must be a string.")) {
            try await client.config(for: self.request("b"))
        }
        for id in ["c", "d", ""] {
            await #expect(throws: OVPError.notFound) { try await client.config(for: self.request(id)) }
        }
    }

    @Test func aFileThatIsNotThereIsNotFound() async {
        for address in [folder.appending(path: "nowhere.json"), URL(string: "http://127.0.0.1:1/configs.json")!] {
            await #expect(throws: OVPError.notFound) {
                try await DirectoryOVPClient(file: address).config(for: self.request("clip"))
            }
        }
    }
}
