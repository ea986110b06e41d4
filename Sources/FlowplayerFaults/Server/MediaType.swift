/// Returns the media type for the extension of a file.
func mediaType(of path: String) -> String {
    guard let dot = path.lastIndex(of: "."), path.lastIndex(of: "/").map({ $0 < dot }) ?? true else {
        return "application/octet-stream"
    }
    return switch path[path.index(after: dot)...].lowercased() {
    case "m3u8": "application/vnd.apple.mpegurl"
    case "mpd": "application/dash+xml"
    case "ts": "video/mp2t"
    case "mp4", "m4s", "m4v": "video/mp4"
    case "m4a", "aac": "audio/mp4"
    case "mkv": "video/x-matroska"
    case "webm": "video/webm"
    case "mp3": "audio/mpeg"
    case "ogg", "opus": "audio/ogg"
    case "flac": "audio/flac"
    case "wav": "audio/wav"
    case "vtt": "text/vtt"
    case "srt", "txt": "text/plain"
    case "html": "text/html"
    default: "application/octet-stream"
    }
}
