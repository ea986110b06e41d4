import FlowplayerSDK
import Playback

/// A command of the user, from a control, a menu or a key.
public enum ControlsAction: Hashable, Sendable {
    /// Plays. After the end from the beginning, and after a failure again.
    case play
    /// Pauses.
    case pause
    /// Plays or pauses.
    case togglePlay
    /// Loads the failed item again and plays it.
    case retry
    /// Seeks to a position, in seconds.
    case seek(to: Double)
    /// Seeks to a fraction of the seek bar, in `0...1`.
    case seekToFraction(Double)
    /// Seeks by a number of seconds; backwards if it is negative.
    case skip(by: Double)
    /// Pauses and shows the next frame, by so many frames; an earlier one if the number is negative.
    case stepFrames(by: Int)
    /// Seeks to the start of a later chapter, by so many chapters; of an earlier one if the number is negative. After the first
    /// seconds of a chapter, -1 is its own start.
    case skipChapters(by: Int)
    /// Lets the user type a time, and seeks to it. Performed by `ControlsModel`.
    case enterTime
    /// Marks the start of a loop, then its end, then ends the loop. Performed by `ControlsModel`.
    case markLoop
    /// Seeks to the live edge.
    case seekToLive
    /// Plays the next item of the queue.
    case nextItem
    /// Plays the current item from its beginning, or the item before it.
    case previousItem
    /// Sets the volume, in `0...1`.
    case setVolume(Double)
    /// Adds to the volume, in `-1...1`.
    case changeVolume(by: Double)
    /// Turns the audio off or on. The volume stays the same.
    case setMuted(Bool)
    /// Turns the audio off or on.
    case toggleMute
    /// Sets the rate for now and for the next `play`, in media seconds a second.
    case setRate(Double)
    /// Selects a faster rate of the menu by so many steps; a slower one if the number is negative.
    case changeRate(by: Int)
    /// Selects an audio track by its `id`.
    case selectAudio(Int)
    /// Selects the next audio track, and the first one after the last.
    case selectNextAudio
    /// Selects a subtitle track by its `id`; `nil` for none.
    case selectSubtitle(Int?)
    /// Selects the next subtitle track, and none after the last.
    case selectNextSubtitle
    /// Shows subtitles so many seconds later; earlier if the number is negative.
    case changeSubtitleDelay(by: Double)
    /// Selects a quality by its `id`; `nil` for the choice of the engine.
    case selectQuality(Int?)
    /// Skips the advertisement.
    case skipAd
    /// Opens the page of the advertisement, which the host does.
    case clickAd
    /// Enters or leaves full screen.
    case toggleFullscreen
    /// Opens or closes the picture-in-picture window. Performed by the view.
    case togglePictureInPicture
    /// Shows or hides the list of keys. Performed by the view.
    case toggleKeyList
    /// Closes the list of keys, leaves full screen, or closes the picture-in-picture window: the first that is open.
    case escape

    /// The rates of `changeRate` without a configuration.
    public static let rates: [Double] = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4]

    /// A short name for lists of keys: `Back 10 s`.
    public var title: String {
        switch self {
        case .play: "Play"
        case .pause: "Pause"
        case .togglePlay: "Play or pause"
        case .retry: "Retry"
        case .seek(let seconds): "Go to \(TimeText.clock(seconds))"
        case .seekToFraction: "Go to 0–90 %"
        case .skip(let seconds): "\(seconds < 0 ? "Back" : "Forward") \(abs(seconds).short) s"
        case .stepFrames(let count): count < 0 ? "Previous frame" : "Next frame"
        case .skipChapters(let count): count < 0 ? "Previous chapter" : "Next chapter"
        case .enterTime: "Go to a time: 1:30, 90, 50%"
        case .markLoop: "Repeat a part: start, end, off"
        case .seekToLive: "Go to live"
        case .nextItem: "Next item"
        case .previousItem: "Previous item"
        case .setVolume(let volume): "Volume \(volume.percent)"
        case .changeVolume(let step): step < 0 ? "Quieter" : "Louder"
        case .setMuted(let isMuted): isMuted ? "Mute" : "Unmute"
        case .toggleMute: "Mute"
        case .setRate(let rate): "Speed \(rate.speed)"
        case .changeRate(let steps): steps < 0 ? "Slower" : "Faster"
        case .selectAudio, .selectNextAudio: "Audio track"
        case .selectSubtitle, .selectNextSubtitle: "Subtitles"
        case .changeSubtitleDelay(let seconds): seconds < 0 ? "Subtitles earlier" : "Subtitles later"
        case .selectQuality: "Quality"
        case .skipAd: "Skip the advertisement"
        case .clickAd: "Open the page of the advertisement"
        case .toggleFullscreen: "Full screen"
        case .togglePictureInPicture: "Picture in picture"
        case .toggleKeyList: "Show these keys"
        case .escape: "Leave full screen"
        }
    }
}

extension ControlsAction {
    /// Performs the command.
    ///
    /// `ControlsModel` performs `enterTime`, `markLoop`, `togglePictureInPicture`, `toggleKeyList` and `escape`. Here they do nothing.
    ///
    /// - Returns: a message to show for a moment, like `Volume 60 %`; `nil` for none.
    @MainActor @discardableResult
    public func perform(on view: FlowplayerView) -> String? {
        let snapshot = view.snapshot
        let position = view.position?.seconds ?? 0
        switch self {
        case .play, .retry: view.play()
        case .pause: view.pause()
        case .togglePlay:
            if snapshot.isPlaybackWanted { view.pause() } else { view.play() }
            return snapshot.isPlaybackWanted ? "Paused" : "Playing"
        case .seek(let seconds): return seek(view, to: seconds)
        case .seekToFraction(let fraction):
            let bar = SeekBar(snapshot)
            guard bar.isEnabled else { return nil }
            return seek(view, to: bar.seconds(at: fraction), "\(fraction.percent)  ")
        case .skip(let seconds):
            return seek(view, to: position + seconds, "\(seconds < 0 ? "−" : "+")\(abs(seconds).short) s  ")
        case .stepFrames(let count):
            guard snapshot.isUserSeekable else { return nil }
            view.queue?.step(byCount: count)
            return title
        case .skipChapters(let count): return skipChapters(view, by: count)
        case .seekToLive: view.seekToLive()
        case .nextItem: if view.queue?.queue.nextItem != nil { view.queue?.advanceToNextItem() }
        case .previousItem: view.queue?.returnToPreviousItem()
        case .setVolume(let volume): return setVolume(view, volume)
        case .changeVolume(let step): return setVolume(view, Double(view.volume) + step)
        case .setMuted(let isMuted): return setMuted(view, isMuted)
        case .toggleMute: return setMuted(view, !view.isMuted)
        case .setRate(let rate): return setRate(view, rate)
        case .changeRate(let steps): return changeRate(view, by: steps)
        case .selectAudio(let id):
            view.selectTrack(audio: id)
            return view.audioList.first { $0.id == id }.map { "Audio: \($0.name)" }
        case .selectNextAudio:
            let next = view.audioList.element(after: view.currentAudio)
            return next.flatMap { Self.selectAudio($0.id).perform(on: view) }
        case .selectSubtitle(let id):
            let track = view.subtitleList.first { $0.id == id } ?? .off
            view.selectTrack(subtitle: track.id)
            return "Subtitles: \(track.name)"
        case .selectNextSubtitle:
            let next = (view.subtitleList + [.off]).element(after: view.currentSubtitle ?? .off)
            return next.flatMap { Self.selectSubtitle($0.id).perform(on: view) }
        case .changeSubtitleDelay(let seconds): return changeSubtitleDelay(view, by: seconds)
        case .selectQuality(let id): return selectQuality(view, id)
        case .skipAd: view.skipAd()
        case .clickAd: view.clickAd()
        case .toggleFullscreen: if view.isFullscreen { view.closeFullscreen() } else { view.openFullscreen() }
        case .enterTime, .markLoop, .togglePictureInPicture, .toggleKeyList, .escape: break
        }
        return nil
    }

    @MainActor
    private func seek(_ view: FlowplayerView, to seconds: Double, _ text: String = "") -> String? {
        guard view.snapshot.isUserSeekable else { return nil }
        view.seek(seconds)
        let snapshot = view.snapshot
        return text + SeekBar(snapshot).timeText(snapshot.position)
    }

    /// As in music players: a press within this time, in seconds, leaves the chapter.
    private static let chapterStart = 3.0

    @MainActor
    private func skipChapters(_ view: FlowplayerView, by count: Int) -> String? {
        let (chapters, position) = (view.snapshot.metadata.chapters, view.snapshot.position)
        guard view.snapshot.isUserSeekable, !chapters.isEmpty else { return nil }
        let current = chapters.lastIndex { $0.start <= position }
        let isAtStart = current.map { position - chapters[$0].start < Self.chapterStart } ?? true
        let target = (current ?? -1) + count + (count < 0 && !isAtStart ? 1 : 0)
        guard target < chapters.count else { return nil }
        let chapter = chapters[max(0, target)]
        view.seek(chapter.start)
        return "Chapter \(max(0, target) + 1): \(chapter.title)"
    }

    @MainActor
    private func setVolume(_ view: FlowplayerView, _ volume: Double) -> String {
        // Steps of a twentieth stay whole percentages.
        view.volume = Float((volume * 100).rounded() / 100)
        return "Volume \(view.snapshot.volume.percent)" + (view.isMuted ? " (muted)" : "")
    }

    @MainActor
    private func setMuted(_ view: FlowplayerView, _ isMuted: Bool) -> String {
        view.isMuted = isMuted
        return isMuted ? "Muted" : "Volume \(view.snapshot.volume.percent)"
    }

    /// Sets the rate for now and for the next `play`. A paused player stays paused.
    @MainActor
    private func setRate(_ view: FlowplayerView, _ rate: Double) -> String {
        view.defaultRate = Float(rate)
        if view.rate > 0 { view.rate = Float(rate) }
        return "Speed \(view.snapshot.chosenRate.speed)"
    }

    @MainActor
    private func changeSubtitleDelay(_ view: FlowplayerView, by seconds: Double) -> String? {
        guard let player = view.queue, !view.subtitleList.isEmpty else { return nil }
        // Steps of a tenth stay whole tenths.
        player.subtitleDelay = ((player.subtitleDelay + seconds) * 1000).rounded() / 1000
        return "Subtitle delay \(player.subtitleDelay.short) s"
    }

    @MainActor
    private func selectQuality(_ view: FlowplayerView, _ id: Int?) -> String? {
        let quality = view.qualities.first { $0.id == id }
        guard id == nil || quality != nil else { return nil }
        view.select(quality: quality)
        return "Quality: \(quality?.name(among: view.qualities) ?? VideoQuality.automatic)"
    }

    @MainActor
    private func changeRate(_ view: FlowplayerView, by steps: Int) -> String? {
        let rates = (view.controlsConfig?.speedOptions ?? Self.rates).sorted()
        let rate = view.snapshot.chosenRate
        let (slower, faster) = (rates.filter { $0 < rate }, rates.filter { $0 > rate })
        let steered = steps < 0 ? slower.suffix(-steps).first : faster.prefix(steps).last
        return setRate(view, steered ?? rate)
    }
}

extension PlayerSnapshot {
    /// `true` if the user can seek: the item can, and no advertisement plays in its place.
    var isUserSeekable: Bool { isSeekable && advertisement == nil }

    /// The rate that the user has chosen, also while playback is paused.
    var chosenRate: Double { rate > 0 ? rate : defaultRate }
}

extension VideoQuality {
    /// The name of the choice of the engine.
    static let automatic = "Automatic"

    /// The height, like `720p`. The bit rate is added if another quality has this height, and replaces an unknown height.
    func name(among qualities: [VideoQuality]) -> String {
        let rate = "\((bitRate / 1_000_000).short) Mbit/s"
        guard height > 0 else { return rate }
        let isUnique = !qualities.contains { $0.id != id && $0.height == height }
        return isUnique ? "\(height)p" : "\(height)p, \(rate)"
    }
}

extension Array where Element: Identifiable {
    /// The element after another one, and the first one after the last. `nil` if there are fewer than two.
    fileprivate func element(after other: Element?) -> Element? {
        guard count > 1 else { return nil }
        let index = firstIndex { $0.id == other?.id } ?? -1
        return self[(index + 1) % count]
    }
}
