/// The purpose of an audio stream for the audio server, which decides by it which stream gives way.
public struct AudioRole: RawRepresentable, Codable, Hashable, Sendable {
    /// Music, or audio without video.
    public static let music = Self(rawValue: "music")
    /// Audio that belongs to a video.
    public static let video = Self(rawValue: "video")
    /// Speech between people. Others give way to it.
    public static let phone = Self(rawValue: "phone")
    /// A game.
    public static let game = Self(rawValue: "game")
    /// A short sign that something has happened.
    public static let event = Self(rawValue: "event")
    /// Audio of an animation, for example on a web page.
    public static let animation = Self(rawValue: "animation")
    /// Audio that is being produced.
    public static let production = Self(rawValue: "production")
    /// Speech for people who do not see.
    public static let accessibility = Self(rawValue: "a11y")
    /// A test of audio.
    public static let test = Self(rawValue: "test")

    /// Every role that there is.
    public static let all: [Self] = [
        .music, .video, .phone, .game, .event, .animation, .production, .accessibility, .test,
    ]

    /// The name, as PulseAudio's `media.role` has it.
    public let rawValue: String
    /// A role by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
}
