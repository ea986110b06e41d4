/// The tracks that a medium holds, each kind in the medium's own order.
public struct MediaTracks: Codable, Hashable, Sendable {
    /// A medium of which no track is known.
    public static let none = MediaTracks()

    /// The sounds to choose from.
    public var audio: [AudioTrack]
    /// The texts to choose from.
    public var subtitles: [SubtitleTrack]
    /// The pictures; seldom more than one.
    public var video: [VideoTrack]

    /// Lists in the medium's own order.
    public init(audio: [AudioTrack] = [], subtitles: [SubtitleTrack] = [], video: [VideoTrack] = []) {
        self.audio = audio
        self.subtitles = subtitles
        self.video = video
    }

    /// Neither sound nor picture.
    public var isSilentAndDark: Bool { audio.isEmpty && video.isEmpty }
}
