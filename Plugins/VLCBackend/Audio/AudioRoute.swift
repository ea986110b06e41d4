#if VLC
import AudioMixer
import Foundation
import Playback

/// Finds the reason for a change of the output device.
enum AudioRoute {
    /// A queue for questions to the sound server, which can take a while.
    static let queue = DispatchQueue(label: "swift-flowplayer.route", qos: .utility)

    /// - Parameter completion: called later, on another queue.
    static func findChange(
        from old: String, to new: String, completion: @escaping @Sendable (AudioRouteChange) -> Void
    ) {
        queue.async {
            let isGone = PulseConnection(name: VLCInstance.clientName)?.hasSink(old) == false
            completion(AudioRouteChange(isGone ? .oldDeviceUnavailable : .override, device: new))
        }
    }
}
#endif
