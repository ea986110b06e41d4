/// A change of the audio device.
public struct AudioRouteChange: Codable, Hashable, Sendable {
    /// The reason for a change of the audio device.
    public struct Reason: RawRepresentable, Codable, Hashable, Sendable {
        /// The device to which it went is gone: unplugged, or switched off.
        public static let oldDeviceUnavailable = Self(rawValue: "oldDeviceUnavailable")
        /// The user or the desktop has chosen another device.
        public static let override = Self(rawValue: "override")

        /// The name of the reason.
        public let rawValue: String
        /// A reason by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The reason for the change.
    public let reason: Reason
    /// The name of the new device at the audio server; `nil` if it is not known.
    public let device: String?

    /// A change that a backend reports.
    public init(_ reason: Reason, device: String? = nil) {
        self.reason = reason
        self.device = device
    }
}
