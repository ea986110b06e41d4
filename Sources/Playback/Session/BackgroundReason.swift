/// A reason why a host is in the background.
public struct BackgroundReason: RawRepresentable, Codable, Hashable, Sendable {
    /// Its window is minimised, unmapped or fully covered.
    public static let hidden = Self(rawValue: "hidden")
    /// The session is locked.
    public static let locked = Self(rawValue: "locked")
    /// The terminal's job was stopped, or runs behind the shell.
    public static let jobStopped = Self(rawValue: "jobStopped")
    /// The machine is about to sleep.
    public static let sleep = Self(rawValue: "sleep")
    /// The video is in picture in picture, and the host's window is not in front.
    public static let pictureInPicture = Self(rawValue: "pictureInPicture")

    /// The name of the reason.
    public let rawValue: String
    /// A reason of the host.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension Set<BackgroundReason> {
    /// The reasons that count. During picture in picture, the state of the host's window does not.
    package var thatCount: Self {
        contains(.pictureInPicture) ? subtracting([.hidden, .jobStopped]) : self
    }

    /// Their names, for people.
    package var names: String { map(\.rawValue).sorted().joined(separator: ", ") }
}
