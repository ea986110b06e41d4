import FlowplayerSDK
import FlowplayerTesting
import Foundation

#if Systemd
import LogindLifecycle
#endif

// The code of the guide to background playback, word for word, beside its sample.

@MainActor
func continueAudio(_ view: FlowplayerView) {
    view.enableBackgroundPlayback = true
}

@MainActor
func resume(_ view: FlowplayerView) {
    view.resumesAfterBackground = true
}

@MainActor
func goAndComeBack() {
    ApplicationLifecycle.shared.enterBackground(.hidden)  // minimised
    ApplicationLifecycle.shared.leaveBackground(.hidden)  // shown again
}

@MainActor
func pauseWhenLocked(_ view: FlowplayerView) {
    view.backgroundPolicy = .continueAudio
    view.backgroundPolicy[.locked] = .pause
}

#if Systemd
@MainActor
func followTheSession() {
    ApplicationLifecycle.shared.add(LogindSource())
}
#endif

struct DoorSensor: LifecycleSource {
    let changes: AsyncStream<LifecycleChange>
}

@MainActor
func viewInVirtualTime() -> FlowplayerView {
    let clock = ManualClock()
    let lifecycle = ApplicationLifecycle()
    let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
    let view = FlowplayerView(avPlayer: player, lifecycle: lifecycle)
    view.enableBackgroundPlayback = true
    lifecycle.enterBackground(.hidden)
    return view
}
