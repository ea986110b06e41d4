extension AudioSession {
    /// What a program's sound is for.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// Sound is what the program is there for, also while nobody looks.
        public static let playback = Self(rawValue: "playback")
        /// Sound is taken in and given out, as in a call, also while nobody looks.
        public static let playAndRecord = Self(rawValue: "playAndRecord")
        /// Sound is a side matter, and goes together with that of others.
        public static let ambient = Self(rawValue: "ambient")
        /// Sound is a side matter, and does not go together with that of others.
        public static let soloAmbient = Self(rawValue: "soloAmbient")

        /// The name of the category.
        public let rawValue: String
        /// A category by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Whether sound goes on while nobody looks, where the policy lets it.
        package var continuesInBackground: Bool { self == .playback || self == .playAndRecord }
    }

    /// What kind of sound it is, within its category.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// Nothing more is known.
        public static let `default` = Self(rawValue: "default")
        /// Sound that belongs to a picture.
        public static let moviePlayback = Self(rawValue: "moviePlayback")
        /// Speech that pauses rather than be talked over, as of a book that is read.
        public static let spokenAudio = Self(rawValue: "spokenAudio")
        /// A call.
        public static let voiceChat = Self(rawValue: "voiceChat")
        /// A call with a picture.
        public static let videoChat = Self(rawValue: "videoChat")
        /// A call beside a game.
        public static let gameChat = Self(rawValue: "gameChat")

        /// The name of the mode.
        public let rawValue: String
        /// A mode by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// How sound gets on with that of the program's other sessions.
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        /// Both sound: neither interrupts the other. `ambient` does so by itself.
        public static let mixWithOthers = Self(rawValue: 1 << 0)
        /// Both sound, and the others are quieter meanwhile.
        public static let duckOthers = Self(rawValue: 1 << 1)

        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// What becomes of the others when a session has done with sound.
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        /// What it has interrupted goes on by itself. Without, it stays paused.
        public static let notifyOthersOnDeactivation = Self(rawValue: 1 << 0)

        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// What the sound server is told that the sound is for; `nil`: what the backend takes it for.
    public var role: AudioRole? {
        switch (category, mode) {
        case (_, .voiceChat), (_, .videoChat), (_, .gameChat), (.playAndRecord, _): .phone
        case (.ambient, _), (.soloAmbient, _): .game
        case (_, .moviePlayback): .video
        case (_, .spokenAudio): .music
        default: nil
        }
    }

    /// Whether it neither interrupts others nor is interrupted by them.
    var mixes: Bool { category == .ambient || !options.isDisjoint(with: [.mixWithOthers, .duckOthers]) }
}
