/// The tracks of an item. Each list has the item's order.
public struct MediaTracks: Codable, Hashable, Sendable {
    /// No tracks.
    public static let none = MediaTracks()

    /// The audio tracks.
    public var audio: [AudioTrack]
    /// The subtitle tracks.
    public var subtitles: [SubtitleTrack]
    /// The video tracks; seldom more than one.
    public var video: [VideoTrack]

    /// Lists in the item's order.
    public init(audio: [AudioTrack] = [], subtitles: [SubtitleTrack] = [], video: [VideoTrack] = []) {
        self.audio = audio
        self.subtitles = subtitles
        self.video = video
    }

    /// `true` if there is neither audio nor video.
    public var isSilentAndDark: Bool { audio.isEmpty && video.isEmpty }
}
