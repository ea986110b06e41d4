import FlowplayerSDK
import FlowplayerTesting
import Foundation
import NowPlaying

// The code of the guide to audio focus, word for word.

@MainActor
func setAudioCategory() throws {
    let session = AudioSession.sharedInstance()
    try session.setCategory(.playback, mode: .moviePlayback)
    try session.setActive(true)
}

@MainActor
func announce() throws -> MediaPlayer {
    let announcements = AudioSession()
    try announcements.setCategory(.playback, options: .duckOthers)
    let announcer = MediaPlayer(backend: .default)
    announcer.audioSession = announcements
    return announcer
}

@MainActor
func giveWay() -> ObservationToken {
    let token = AudioSession.sharedInstance().add(OtherPlayers())
    return token
}

@MainActor
func ring(_ session: AudioSession) {
    session.beginInterruption()
    session.endInterruption(shouldResume: true)
}

func hearOfInterruptions() -> any NSObjectProtocol {
    let observer = NotificationCenter.default.addObserver(
        forName: AVAudioSession.interruptionNotification, object: nil, queue: nil
    ) { notification in
        let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
        let options = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
        switch type.flatMap(AVAudioSession.InterruptionType.init) {
        case .began: print("held")
        case .ended: print("over", AVAudioSession.InterruptionOptions(rawValue: options).contains(.shouldResume))
        case nil: break
        }
    }
    return observer
}

func interrupt(by clock: ManualClock) {
    let backend = SimulatedBackend(clock: clock)
    backend.beginInterruption()
    backend.endInterruption(shouldResume: true)
    backend.changeRoute(AudioRouteChange(.oldDeviceUnavailable))
}
