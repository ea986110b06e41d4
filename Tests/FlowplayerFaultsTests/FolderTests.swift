import FlowplayerFaults
import Foundation
import TestSupport
import Testing

/// Real media in a folder, checked by ffprobe.
@Suite struct FolderTests {
    /// Returns the seconds of video that ffprobe finds at an address, or `nil` if ffprobe fails.
    private func duration(_ url: URL) async throws -> Double? {
        let arguments = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0"]
        let result = try await Command("ffprobe", arguments + [url.absoluteString]).run()
        return result.status == 0 ? Double(result.output.trimmingCharacters(in: .whitespacesAndNewlines)) : nil
    }

    private func server() async throws -> FaultServer {
        try await FaultServer.start(serving: try await MediaFixtures.shared.file("m3u8").deletingLastPathComponent())
    }

    @Test func aStreamPlaysAndItsSegmentsInheritThePlan() async throws {
        let server = try await server()
        #expect(server.paths == ["/clip.m3u8", "/clip0.ts", "/clip1.ts"])
        #expect(try await duration(server.url(for: "/clip.m3u8")) == 2)
        _ = try await duration(server.url(for: "/clip.m3u8", fault: .late(.milliseconds(1)), on: .on(.segments)))
        #expect(server.requests.contains { $0.path == "/clip0.ts" && $0.faults == [.late(.milliseconds(1))] })
        #expect(try await duration(server.url(for: "/clip.m3u8", fault: .garbage, on: .on(.playlists))) == nil)
    }

    @Test func aPlaylistNamesTheFilesThatAreThere() async throws {
        let server = try await server()
        let result = try await Curl.get(server.url(for: "/clip.m3u8", fault: .playlistToFile))
        let lines = String(decoding: result.body, as: UTF8.self).split(separator: "\n")
        let files = lines.filter { $0.hasPrefix("file:") }.compactMap { URL(string: String($0)) }
        #expect(files.map(\.lastPathComponent) == ["clip0.ts", "clip1.ts"])
        #expect(files.allSatisfy { FileManager.default.fileExists(atPath: $0.path()) })
    }

    @Test func nothingAboveTheFolderIsServed() async throws {
        let server = try await server()
        for path in ["/../clip.mp4", "/..%2F..%2Fetc/passwd", "/none/../../etc/passwd", "/clip.m3u8/", "/."] {
            let url = URL(string: "http://127.0.0.1:\(server.port)\(path)")!
            #expect(try await Curl.get(url, "--path-as-is").status == 404, "\(path)")
        }
    }

    /// A film can be larger than the memory. A pipe has no end.
    @Test func filesOfAnySizeAreServedAndPipesAreNot() async throws {
        let folder = MediaFixtures.shared.directory.appending(path: "sizes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (film, size) = (folder.appending(path: "film.mp4"), UInt64(5) << 30)
        try Data("start".utf8).write(to: film)
        let file = try FileHandle(forWritingTo: film)
        try file.truncate(atOffset: size)
        try file.seek(toOffset: size - 3)
        try file.write(contentsOf: Data("end".utf8))
        try file.close()
        try FileManager.default.createSymbolicLink(at: folder.appending(path: "link.mp4"), withDestinationURL: film)
        try #require(mkfifo(folder.appending(path: "pipe.mp4").path(), 0o600) == 0)
        let server = try await FaultServer.start(serving: folder)
        #expect(server.paths == ["/film.mp4", "/link.mp4"])
        for path in server.paths {
            let result = try await Curl.get(server.url(for: path), "--range", "\(size - 5)-")
            #expect(result.status == 206 && result.body == Data("\0\0end".utf8))
            #expect(result.headers["content-range"] == "bytes \(size - 5)-\(size - 1)/\(size)")
        }
        #expect(try await Curl.get(server.url(for: "/pipe.mp4")).status == 404)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aFileIsFoundAnewForEveryRequest() async throws {
        let folder = MediaFixtures.shared.directory.appending(path: "anew")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let server = try await FaultServer.start(serving: folder)
        #expect(try await Curl.get(server.url(for: "/late.mp4")).status == 404)
        try Data("there".utf8).write(to: folder.appending(path: "late.mp4"))
        #expect(try await Curl.get(server.url(for: "/late.mp4")).body == Data("there".utf8))
    }
}
