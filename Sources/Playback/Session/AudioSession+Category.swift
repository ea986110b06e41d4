extension AudioSession {
    /// The purpose of a program's audio.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// Audio is the purpose of the program, also in the background.
        public static let playback = Self(rawValue: "playback")
        /// Audio is recorded and played, as in a call, also in the background.
        public static let playAndRecord = Self(rawValue: "playAndRecord")
        /// Audio is secondary, and mixes with others.
        public static let ambient = Self(rawValue: "ambient")
        /// Audio is secondary, and does not mix with others.
        public static let soloAmbient = Self(rawValue: "soloAmbient")

        /// The name of the category.
        public let rawValue: String
        /// A category by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `true` if audio continues in the background where the policy allows it.
        package var continuesInBackground: Bool { self == .playback || self == .playAndRecord }
    }

    /// The kind of audio within its category.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// Nothing more is known.
        public static let `default` = Self(rawValue: "default")
        /// Audio that belongs to a video.
        public static let moviePlayback = Self(rawValue: "moviePlayback")
        /// Speech that pauses rather than be talked over, as of a book that is read.
        public static let spokenAudio = Self(rawValue: "spokenAudio")
        /// A call.
        public static let voiceChat = Self(rawValue: "voiceChat")
        /// A video call.
        public static let videoChat = Self(rawValue: "videoChat")
        /// A call beside a game.
        public static let gameChat = Self(rawValue: "gameChat")

        /// The name of the mode.
        public let rawValue: String
        /// A mode by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// How a session mixes with the program's other sessions.
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        /// Both play: neither interrupts the other. `ambient` always mixes.
        public static let mixWithOthers = Self(rawValue: 1 << 0)
        /// Both play, and the others are quieter meanwhile.
        public static let duckOthers = Self(rawValue: 1 << 1)

        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// Options of a session that becomes inactive.
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        /// The interrupted sessions resume. Without this option they stay paused.
        public static let notifyOthersOnDeactivation = Self(rawValue: 1 << 0)

        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// The role that is sent to the audio server; `nil` for the backend's choice.
    public var role: AudioRole? {
        switch (category, mode) {
        case (_, .voiceChat), (_, .videoChat), (_, .gameChat), (.playAndRecord, _): .phone
        case (.ambient, _), (.soloAmbient, _): .game
        case (_, .moviePlayback): .video
        case (_, .spokenAudio): .music
        default: nil
        }
    }

    /// `true` if the session neither interrupts others nor is interrupted by them.
    var mixes: Bool { category == .ambient || !options.isDisjoint(with: [.mixWithOthers, .duckOthers]) }
}
