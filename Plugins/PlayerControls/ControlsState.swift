import FlowplayerSDK
import Playback

/// Everything that the controls of a player show at one instant.
///
/// The state is a value. It derives from the player, the configuration and the view, so a view draws it and keeps nothing
/// else. An absent control is `nil`.
public struct ControlsState: Hashable, Sendable {
    /// The abilities of the view, and its current form.
    public struct View: Hashable, Sendable {
        /// `true` if the view can fill the screen.
        public var offersFullscreen = true
        /// `true` while the view fills the screen.
        public var isFullscreen = false
        /// `true` if the view can open a picture-in-picture window.
        public var offersPictureInPicture = false
        /// `true` while the picture-in-picture window is open.
        public var isPictureInPicture = false

        /// A view that can fill the screen, and does not.
        public init() {}
    }

    /// A button.
    public struct Button: Hashable, Sendable {
        /// The name for tooltips and screen readers, like `Pause`.
        public let label: String
        /// The action of the button.
        public let action: ControlsAction
        /// `true` if the button is shown as pressed.
        public var isOn = false
    }

    /// A menu of which one entry can be selected.
    public struct Menu: Hashable, Sendable, Identifiable {
        /// The subject of a menu.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// Audio tracks.
            case audio
            /// Subtitle tracks.
            case subtitles
            /// Qualities of the video.
            case quality
            /// Playback rates.
            case speed
        }

        /// An entry.
        public struct Entry: Hashable, Sendable {
            /// The text of the entry.
            public let label: String
            /// The action of the entry.
            public let action: ControlsAction
            /// `true` for the current choice.
            public let isSelected: Bool
        }

        /// The subject.
        public let kind: Kind
        /// The title, like `Subtitles`.
        public let title: String
        /// The entries, in order.
        public let entries: [Entry]
        /// The subject, which only one menu has.
        public var id: Kind { kind }
    }

    /// The error of an item that failed.
    public struct Failure: Hashable, Sendable {
        /// The failure, and the remedy.
        public let text: String
        /// Tries again.
        public let retry: Button
    }

    /// The button for a live stream.
    public struct Live: Hashable, Sendable {
        /// `Live`, or the distance from the live edge like `-1:05`.
        public let text: String
        /// Seeks to the live edge. On while the stream plays there.
        public let button: Button
    }

    /// The advertisement that plays in place of the item.
    public struct Ad: Hashable, Sendable {
        /// The place in the break and the rest of the time, like `Ad 1 of 3 · 0:12`.
        public let text: String
        /// `nil` if the viewer may not skip now.
        public let skip: Button?
        /// The time until the viewer may skip, like `Skip in 4 s`; `nil` if that is now or never.
        public let countdown: String?
        /// Opens the page of the advertisement; `nil` if it has none.
        public let page: Button?
    }

    /// `nil` while the item plays.
    public let ad: Ad?
    /// The title of the item, or its file's name; `nil` if neither is known.
    public let title: String?
    /// The title of the current chapter, or `nil` if there is none.
    public let chapter: String?
    /// Play, pause or replay; `nil` while nothing can be played.
    public let play: Button?
    /// The start of the item, or the previous item; `nil` if the queue has only one.
    public let previous: Button?
    /// `nil` if the queue has no later item.
    public let next: Button?
    /// The seek bar.
    public let seekBar: SeekBar
    /// The position, like `1:05`; the distance from the live edge for a live stream.
    public let position: String
    /// The duration, like `1:01:05`; `nil` if it is unknown.
    public let duration: String?
    /// `nil` for everything else than a live stream with a DVR window.
    public let live: Live?
    /// `nil` if the configuration hides the control.
    public let mute: Button?
    /// In `0...1`; `nil` if the configuration hides the control.
    public let volume: Double?
    /// The menus with a choice.
    public let menus: [Menu]
    /// The rate, like `1.5×`; `nil` for the normal rate.
    public let speedBadge: String?
    /// `nil` if the view or the configuration has no full screen.
    public let fullscreen: Button?
    /// `nil` if the view has no picture in picture.
    public let pictureInPicture: Button?
    /// `nil` unless playback failed.
    public let failure: Failure?
    /// `true` if the player works on a load, a seek or a stall.
    public let isWaiting: Bool
    /// `true` while the position moves, so that a visible seek bar is drawn again with each frame.
    public let isAdvancing: Bool
    /// `true` if the bar is thin.
    public let usesThinBar: Bool
    /// `true` if the seek bar has a drag handle.
    public let usesDragHandle: Bool

    // A `ControlsModel` sets the properties that depend on time.

    /// `false` if the host or the configuration hides the controls for good. A view removes them then.
    public internal(set) var areAllowed = true
    /// `true` if the view shows its controls.
    public internal(set) var areVisible = true
    /// `true` if the view hides the pointer.
    public internal(set) var isPointerHidden = false
    /// `true` if the view shows a spinner: the player has been waiting for 0.3 s.
    public internal(set) var showsSpinner = false
    /// The message about the last key, like `Volume 60 %`; `nil` for none.
    public internal(set) var message: String?
    /// The line in which the user types a time, like `Go to 1:30, 90 or 50%: 1_`; `nil` for none. It replaces the message.
    public internal(set) var prompt: String?
    /// The marks of the loop: `A 0:10`, then `A 0:10 B 0:20`; `nil` without a loop.
    public internal(set) var loop: String?
    /// The list of keys; `nil` while it is closed.
    public internal(set) var keyList: [KeyMap.Row]?
    /// The position under the dragged handle, in seconds; `nil` while nothing is dragged.
    public internal(set) var dragTarget: Double?

    /// Describes the controls of a player.
    ///
    /// - Parameters:
    ///   - snapshot: the state of the player.
    ///   - position: the position in seconds, if it is newer than that of the snapshot.
    ///   - config: the configuration; `nil` shows everything that the view can do.
    ///   - view: the state of the view.
    public init(
        _ snapshot: PlayerSnapshot, position: Double? = nil, config: ControlsConfig? = nil, view: View = View()
    ) {
        let all = config == nil
        let config = config ?? ControlsConfig.create().build()
        let item = snapshot.item
        ad = snapshot.advertisement.map { Ad($0) }
        title = snapshot.metadata.title ?? item?.url?.lastPathComponent
        chapter = snapshot.currentChapter?.title
        play = Self.playButton(snapshot)
        let queue = snapshot.queue
        next = queue.nextItem == nil ? nil : Button(label: "Next", action: .nextItem)
        previous = queue.items.count > 1 ? Button(label: "Previous", action: .previousItem) : nil

        let bar = SeekBar(snapshot, position: position)
        seekBar = bar
        self.position = bar.timeText(bar.position)
        duration = snapshot.duration.map(TimeText.clock)
        live = snapshot.dvrWindow.map { _ in
            Live(
                text: snapshot.isAtLiveEdge ? "Live" : bar.timeText(bar.position),
                button: Button(label: "Go to live", action: .seekToLive, isOn: snapshot.isAtLiveEdge))
        }

        let muteLabel = snapshot.isMuted ? "Unmute" : "Mute"
        mute =
            config.showsMuteControl
            ? Button(label: muteLabel, action: .setMuted(!snapshot.isMuted), isOn: snapshot.isMuted) : nil
        volume = config.showsVolumeControl ? snapshot.volume : nil
        menus = [
            all || config.plugins.contains(.audioSelection) ? Self.audioMenu(snapshot) : nil,
            all || config.plugins.contains(.subtitles) ? Self.subtitleMenu(snapshot) : nil,
            all || config.plugins.contains(.qualitySelection) ? Self.qualityMenu(snapshot) : nil,
            all || config.plugins.contains(.speed) ? Self.speedMenu(snapshot, config) : nil,
        ].compactMap(\.self)
        speedBadge = snapshot.chosenRate == 1 ? nil : snapshot.chosenRate.speed

        let fullscreenLabel = view.isFullscreen ? "Leave full screen" : "Full screen"
        fullscreen =
            view.offersFullscreen && config.showsFullscreenControl
            ? Button(label: fullscreenLabel, action: .toggleFullscreen, isOn: view.isFullscreen) : nil
        let pictureLabel = view.isPictureInPicture ? "Leave picture in picture" : "Picture in picture"
        pictureInPicture =
            view.offersPictureInPicture
            ? Button(label: pictureLabel, action: .togglePictureInPicture, isOn: view.isPictureInPicture) : nil

        failure = snapshot.error.map {
            Failure(text: $0.message, retry: Button(label: "Retry", action: .retry))
        }
        let isStalled = snapshot.phase == .stalled && snapshot.shouldPlay
        let hasItemToWaitFor = snapshot.phase == .opening || isStalled || snapshot.seek.state == .seeking
        let awaitsAd = snapshot.isPlaybackWanted && snapshot.suppression.contains(.adLoading)
        isWaiting = snapshot.advertisement == nil && (hasItemToWaitFor || awaitsAd)
        isAdvancing = snapshot.isPlaying
        usesThinBar = config.usesThinControlBar
        usesDragHandle = all || config.usesDragHandle
    }

    private static func playButton(_ snapshot: PlayerSnapshot) -> Button? {
        switch snapshot.phase {
        case .idle, .failed: nil
        case .ended where !snapshot.isHeldAtEnd: Button(label: "Play again", action: .play)
        case .opening, .ready, .stalled, .ended:
            snapshot.isPlaybackWanted ? Button(label: "Pause", action: .pause) : Button(label: "Play", action: .play)
        }
    }

    private static func audioMenu(_ snapshot: PlayerSnapshot) -> Menu? {
        guard let tracks = snapshot.tracks?.audio, tracks.count > 1 else { return nil }
        let entries = tracks.map {
            Menu.Entry(label: $0.name, action: .selectAudio($0.id), isSelected: $0.id == snapshot.audio)
        }
        return Menu(kind: .audio, title: "Audio", entries: entries)
    }

    private static func subtitleMenu(_ snapshot: PlayerSnapshot) -> Menu? {
        guard let tracks = snapshot.tracks?.subtitles, !tracks.isEmpty else { return nil }
        let shown = snapshot.currentSubtitle
        let off = Menu.Entry(label: SubtitleTrack.off.name, action: .selectSubtitle(nil), isSelected: shown == nil)
        let entries = tracks.map {
            Menu.Entry(label: $0.name, action: .selectSubtitle($0.id), isSelected: $0.id == shown?.id)
        }
        return Menu(kind: .subtitles, title: "Subtitles", entries: [off] + entries)
    }

    private static func qualityMenu(_ snapshot: PlayerSnapshot) -> Menu? {
        let (qualities, selected) = (snapshot.qualities, snapshot.selectedQuality)
        guard qualities.count > 1 else { return nil }
        let automatic = Menu.Entry(
            label: VideoQuality.automatic, action: .selectQuality(nil), isSelected: selected == nil)
        let entries = qualities.map {
            Menu.Entry(
                label: $0.name(among: qualities), action: .selectQuality($0.id), isSelected: $0 == selected)
        }
        return Menu(kind: .quality, title: "Quality", entries: [automatic] + entries)
    }

    private static func speedMenu(_ snapshot: PlayerSnapshot, _ config: ControlsConfig) -> Menu? {
        guard config.speedOptions.count > 1 else { return nil }
        let entries = zip(config.speedOptions, config.speedLabels).map { rate, label in
            Menu.Entry(label: label, action: .setRate(rate), isSelected: rate == snapshot.chosenRate)
        }
        return Menu(kind: .speed, title: "Speed", entries: entries)
    }
}

extension ControlsState.Ad {
    /// Describes an advertisement.
    public init(_ ad: Advertisement) {
        let place = ad.count > 1 ? "Ad \(ad.number) of \(ad.count)" : "Ad"
        text = ([place] + (ad.remainingTime.map { [TimeText.clock($0.rounded(.up))] } ?? [])).joined(separator: " · ")
        skip = ad.canSkip ? ControlsState.Button(label: "Skip", action: .skipAd) : nil
        let rest = ad.timeUntilSkip ?? 0
        countdown = rest > 0 ? "Skip in \(Int(rest.rounded(.up))) s" : nil
        page = ad.clickThrough.map { _ in ControlsState.Button(label: "Visit advertiser", action: .clickAd) }
    }
}
