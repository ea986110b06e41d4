/// A control that is shown only when a host asks for it.
public struct ControlPlugin: RawRepresentable, Hashable, Sendable {
    /// Chooses the rate; the choices are `ControlsConfig.speedOptions`.
    public static let speed = Self(rawValue: "speed")
    /// Chooses the sound.
    public static let audioSelection = Self(rawValue: "asel")
    /// Chooses the subtitles.
    public static let subtitles = Self(rawValue: "subtitles")
    /// Chooses the quality.
    public static let qualitySelection = Self(rawValue: "qsel")

    /// The name by which a host enables the control.
    public let rawValue: String
    /// A control of the host's own; a view that does not know it shows nothing for it.
    public init(rawValue: String) { self.rawValue = rawValue }
}
