/// The tracks that a medium holds, each kind in the medium's own order.
public struct MediaTracks: Codable, Hashable, Sendable {
    public static let none = MediaTracks()

    public var audio: [AudioTrack]
    public var subtitles: [SubtitleTrack]
    public var video: [VideoTrack]

    public init(audio: [AudioTrack] = [], subtitles: [SubtitleTrack] = [], video: [VideoTrack] = []) {
        self.audio = audio
        self.subtitles = subtitles
        self.video = video
    }

    /// Neither sound nor picture.
    public var isSilentAndDark: Bool { audio.isEmpty && video.isEmpty }
}
