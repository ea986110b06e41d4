/// Sound goes to another device than before.
public struct AudioRouteChange: Codable, Hashable, Sendable {
    /// Why sound goes elsewhere.
    public struct Reason: RawRepresentable, Codable, Hashable, Sendable {
        /// The device to which it went is gone: unplugged, or switched off.
        public static let oldDeviceUnavailable = Self(rawValue: "oldDeviceUnavailable")
        /// Somebody has chosen another device, or the desktop has for somebody.
        public static let override = Self(rawValue: "override")

        /// The name of the reason.
        public let rawValue: String
        /// A reason by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Why.
    public let reason: Reason
    /// Where sound goes now, by the sound server's name; `nil` if that is not known.
    public let device: String?

    /// A change as a backend tells it.
    public init(_ reason: Reason, device: String? = nil) {
        self.reason = reason
        self.device = device
    }
}
