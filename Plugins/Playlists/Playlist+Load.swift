import Foundation
import MediaTransport
import Playback

extension Playlist {
    private static let timeout = Duration.seconds(20)

    /// Reads a playlist from a file, a folder or a server.
    ///
    /// - Parameters:
    ///   - url: with the scheme `file`, `http` or `https`. Redirects are followed.
    ///   - recursive: `true` to read the sub-folders of a folder too. Links to folders are not followed.
    /// - Returns: the playlist. Its `isHLS` is `true` if it is an HLS stream.
    /// - Throws: an error if there is no playlist, if it is larger than `byteLimit`, if a server needs more than 20 seconds, or if
    ///   the task is cancelled.
    public static func load(_ url: URL, recursive: Bool = false) async throws(PlaylistError) -> Playlist {
        if url.isFileURL { return try read(url.absoluteURL, recursive: recursive) }
        guard url.isHTTP else { throw PlaylistError(.unsupportedScheme, url: url) }
        return try await fetch(url)
    }

    private static func read(_ url: URL, recursive: Bool) throws(PlaylistError) -> Playlist {
        switch FileKind(at: url) {
        case .folder: return try FolderReader.read(url, recursive: recursive)
        case .file:
            guard let handle = try? FileHandle(forReadingFrom: url),
                let data = try? handle.read(upToCount: byteLimit + 1) ?? Data()
            else { throw PlaylistError(.unreadable, url: url) }
            return try Playlist(data: data, url: url)
        case .link, .other: throw PlaylistError(.unreadable, url: url, detail: "This is neither a file nor a folder.")
        case nil: throw PlaylistError(.notFound, url: url)
        }
    }

    private static func fetch(_ url: URL) async throws(PlaylistError) -> Playlist {
        let answer: HTTPFetch.Answer
        do {
            answer = try await HTTPFetch.answer(
                to: HTTPFetch.Request(url, upTo: byteLimit, within: timeout))
        } catch {
            switch error {
            case .tooLong: throw PlaylistError(.tooLarge, url: url)
            case .network(_, let reason): throw PlaylistError(.network, url: url, detail: reason)
            }
        }
        guard (200..<300).contains(answer.status) else {
            throw PlaylistError(.httpStatus, url: url, httpStatus: answer.status)
        }
        return try Playlist(data: answer.body, url: answer.url)
    }
}
