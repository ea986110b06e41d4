import Foundation

extension AudioSession {
    /// Posted with the session as its object when an interruption begins or ends, after the players have acted on it.
    ///
    /// `userInfo` has an `InterruptionType` under `interruptionTypeKey` and, at the end, `InterruptionOptions` under
    /// `interruptionOptionKey`; both as their raw values.
    public nonisolated static let interruptionNotification = Notification.Name("flowplayerAudioSessionInterruption")
    /// The key of the `UInt` of an `InterruptionType`.
    public nonisolated static let interruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
    /// The key of the `UInt` of `InterruptionOptions`.
    public nonisolated static let interruptionOptionKey = "AVAudioSessionInterruptionOptionKey"

    /// Posted with the session as its object when the audio of one of its players moves to another device, after the
    /// player has acted on it.
    ///
    /// `userInfo` has a `RouteChangeReason` under `routeChangeReasonKey`, as its raw value, and the name of the new
    /// device, if it is known, under `routeChangeDeviceKey`.
    public nonisolated static let routeChangeNotification = Notification.Name("flowplayerAudioSessionRouteChange")
    /// The key of the `UInt` of a `RouteChangeReason`.
    public nonisolated static let routeChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
    /// The key of the name of the current device.
    public nonisolated static let routeChangeDeviceKey = "flowplayerAudioSessionDevice"

    /// The beginning or the end of an interruption.
    public enum InterruptionType: UInt, Hashable, Sendable {
        /// The interruption is over.
        case ended = 0
        /// The interruption began.
        case began = 1
    }

    /// Options of the end of an interruption.
    public struct InterruptionOptions: OptionSet, Hashable, Sendable {
        /// The players resume, unless the user paused, stopped or loaded another item meanwhile.
        public static let shouldResume = Self(rawValue: 1 << 0)

        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// The reason for a change of the audio device.
    public enum RouteChangeReason: UInt, Hashable, Sendable {
        /// The backend did not say why.
        case unknown = 0
        /// A device is new. libVLC reports `override` instead.
        case newDeviceAvailable = 1
        /// The device that was used is gone; players have paused.
        case oldDeviceUnavailable = 2
        /// The category changed. Never sent, because no device depends on it.
        case categoryChange = 3
        /// The user or the desktop has chosen another device.
        case override = 4

        init(_ reason: AudioRouteChange.Reason) {
            let known: [AudioRouteChange.Reason: Self] = [
                .oldDeviceUnavailable: .oldDeviceUnavailable, .override: .override,
            ]
            self = known[reason] ?? .unknown
        }
    }

    func post(_ type: InterruptionType, _ options: InterruptionOptions) {
        var info: [String: Any] = [Self.interruptionTypeKey: type.rawValue]
        if type == .ended { info[Self.interruptionOptionKey] = options.rawValue }
        notificationCenter.postWatched(name: Self.interruptionNotification, object: self, userInfo: info)
    }

    func post(_ change: AudioRouteChange) {
        var info: [String: Any] = [Self.routeChangeReasonKey: RouteChangeReason(change.reason).rawValue]
        info[Self.routeChangeDeviceKey] = change.device
        notificationCenter.postWatched(name: Self.routeChangeNotification, object: self, userInfo: info)
    }
}
