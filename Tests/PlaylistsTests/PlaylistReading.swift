import Foundation
import Playlists

let localList = URL(filePath: "/music/lists/list.m3u")
let remoteList = URL(string: "http://radio.example:8000/lists/list.m3u?key=1")!

/// Reads what a test wrote down.
func read(_ text: String, at url: URL = localList) throws -> Playlist {
    try Playlist(data: Data(text.utf8), url: url)
}

func local(_ name: String) -> URL { URL(filePath: "/music/lists/\(name)") }

func remote(_ name: String) -> URL { URL(string: "http://radio.example:8000/lists/\(name)")! }

/// Runs long work on its own thread, so that other tests do not wait for it.
func apart<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: work()) }.start()
    }
}

extension Playlist {
    /// Paths of files, and whole addresses of all else.
    var places: [String] {
        items.map { $0.url.isFileURL ? $0.url.path(percentEncoded: false) : $0.url.absoluteString }
    }

    var titles: [String?] { items.map(\.metadata.title) }

    var skipped: [String] { problems.filter(\.isSkipped).map(\.description) }
    var notices: [String] { problems.filter { !$0.isSkipped }.map(\.description) }
}
