#if VLC
import AudioMixer
import Foundation
import Playback

/// Finds out why sound goes to another device.
enum AudioRoute {
    /// For questions that may take a while.
    static let queue = DispatchQueue(label: "swift-flowplayer.route", qos: .utility)

    /// - Parameter told: called later, on a queue of its own.
    static func explain(
        from old: String, to new: String, told: @escaping @Sendable (AudioRouteChange) -> Void
    ) {
        queue.async {
            let isGone = PulseConnection(name: VLCInstance.clientName)?.hasSink(old) == false
            told(AudioRouteChange(isGone ? .oldDeviceUnavailable : .override, device: new))
        }
    }
}
#endif
