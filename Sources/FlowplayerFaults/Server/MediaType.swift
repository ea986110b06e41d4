import Foundation

/// Returns the media type for the extension of a file.
func mediaType(of path: String) -> String {
    mediaTypes[URL(filePath: path).pathExtension.lowercased()] ?? "application/octet-stream"
}

private let mediaTypes = [
    "m3u8": "application/vnd.apple.mpegurl", "mpd": "application/dash+xml", "ts": "video/mp2t",
    "mp4": "video/mp4", "m4s": "video/mp4", "m4v": "video/mp4", "m4a": "audio/mp4", "aac": "audio/mp4",
    "mkv": "video/x-matroska", "webm": "video/webm", "mp3": "audio/mpeg", "ogg": "audio/ogg", "opus": "audio/ogg",
    "flac": "audio/flac", "wav": "audio/wav", "vtt": "text/vtt", "srt": "text/plain", "txt": "text/plain",
    "html": "text/html",
]
