/// How the sound of a program stands to that of others.
///
/// Hosts say here what their sound is for, in the familiar words.
@MainActor
public final class AudioSession {
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

    private static let shared = AudioSession()

    /// The one of this process.
    public static func sharedInstance() -> AudioSession { shared }

    /// What the program's sound is for; `playback` by default. With a category for side matters, players pause in the
    /// background whatever their policy.
    public private(set) var category = Category.playback
    /// Whether the program makes use of sound now.
    public private(set) var isActive = false

    /// A session of its own, for tests.
    public init() {}

    /// Says what the program's sound is for. Never fails; it throws because hosts write `try`.
    public func setCategory(_ category: Category) throws { self.category = category }

    /// Says whether the program makes use of sound. Never fails; it throws because hosts write `try`.
    public func setActive(_ isActive: Bool) throws { self.isActive = isActive }
}
