#if VLC
import Foundation
import Playback

// The video of an item, and a change of its output.
extension VLCPlayback {
    /// `true` if there is an output for the video. A preloaded item opens no window.
    var hasVideoOutput: Bool {
        settings.videoOutput.isAvailable && !defersVideo && !(isPreloaded && settings.opensWindow)
    }

    /// `true` if a view shows the video.
    var isVideoVisible: Bool { hasVideoOutput && settings.showsVideo }

    /// The video of a player. Without an output, the video is deselected, so that it can be shown later.
    func makeVideo() -> VLCPlayer.Video {
        if defersVideo { return .none }
        return hasVideoOutput && settings.opensWindow ? .window : .frames
    }

    func videoSettingsChanged() {
        guard !isOver else { return }
        let (isVisible, sink) = (isVideoVisible, settings.sink)
        // The window of a hidden video is closed. A sink has its last frame.
        let isShownFirst = settings.opensWindow ? !machine.tracks.isVideoVisible : sink !== lastSink
        let isReopened = closeUnfitVideo()
        if isVisible { lastSink = sink }
        perform { machine, _ in machine.setVideoVisible(isVisible, lacksFrame: isVisible && isShownFirst || isReopened)
        }
        if machine.hasOpened { warnAboutDisplay(machine.tracks.hasVideo) }
        if let player, player.opensWindow != (isVisible && settings.opensWindow) {
            perform { machine, _ in machine.warnAboutFixedOutput() }
        }
    }

    /// Deselects the video if its output needs something else. The machine selects it again when it is visible.
    ///
    /// Another size waits until the item plays. libVLC shows some wrong frames if a paused video is reopened.
    ///
    /// - Returns: `true` if the video was deselected.
    private func closeUnfitVideo() -> Bool {
        guard isVideoVisible, !machine.tracks.isMP4InOrder, let player else { return false }
        let isOtherOutput = player.opensWindow != settings.opensWindow
        guard isOtherOutput || machine.wantsToPlay && player.needsOtherSize(for: settings.sink) else { return false }
        updateSink(of: player)
        perform { machine, _ in machine.detachVideo() }
        player.setVideo(makeVideo())
        return true
    }

    func reopenUnfitVideo() {
        if closeUnfitVideo() { perform { machine, _ in machine.setVideoVisible(true, lacksFrame: true) } }
    }

    /// The size in square pixels is known. Usually the video was opened with it.
    func videoSizeKnown() {
        guard let player, let stream = machine.tracks.decodedVideo else { return }
        player.readVideoSize(of: stream)
        reopenUnfitVideo()
    }

    func updateSinks() {
        if let player { updateSink(of: player) }
        if let standby { updateSink(of: standby.player) }
    }

    func updateSink(of player: VLCPlayer) {
        player.setSink(
            settings.sink, isHidden: isPreloaded || machine.hidesFrames, isPaused: !machine.wantsToPlay)
    }

    func warnAboutDisplay(_ hasVideo: Bool) {
        if hasVideo, !machine.isFinished, settings.lacksDisplay { report(.notice(.noDisplay)) }
    }
}
#endif
