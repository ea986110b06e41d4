/// What a stream of sound is for, as sound servers know it: by this they decide who gives way to whom.
public struct AudioRole: RawRepresentable, Codable, Hashable, Sendable {
    /// Music, or sound alone.
    public static let music = Self(rawValue: "music")
    /// Sound that belongs to a picture.
    public static let video = Self(rawValue: "video")
    /// Speech between people. Others give way to it.
    public static let phone = Self(rawValue: "phone")
    /// A game.
    public static let game = Self(rawValue: "game")
    /// A short sign that something has happened.
    public static let event = Self(rawValue: "event")
    /// Sound that goes with something that moves, as on a page.
    public static let animation = Self(rawValue: "animation")
    /// Sound that is being made.
    public static let production = Self(rawValue: "production")
    /// Speech for people who do not see.
    public static let accessibility = Self(rawValue: "a11y")
    /// Sound that tries something out.
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
