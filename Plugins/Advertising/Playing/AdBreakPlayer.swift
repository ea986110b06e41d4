import FlowplayerSDK
import Foundation
import Playback

/// Plays the advertisements of one break, in the player of the interstitials.
///
/// The advertisements are a queue of that player, so that the next one is opened while one plays. `prepare` opens the first one and
/// keeps it paused. After `begin`, the break ends with its last advertisement, and calls `onEnd` once.
///
/// | event of the player | report |
/// |---|---|
/// | `ready` | `loaded` |
/// | `play` | `play`, and the impression |
/// | `pause` | `pause` |
/// | `complete` | `complete` |
/// | `error` | the next media file of the advertisement, else `failed` and the next replacement |
@MainActor
final class AdBreakPlayer {
    private enum Stage {
        /// It waits for its turn.
        case prepared
        /// It has begun, and its first advertisement is not ready.
        case waiting
        /// Its advertisements play.
        case presenting
        case over
    }

    /// One advertisement in the queue.
    private struct Play {
        /// The index of the advertisement.
        let index: Int
        let file: VASTLinear.MediaFile
        /// The files to try after this one.
        let rest: ArraySlice<VASTLinear.MediaFile>
    }

    /// The advertisement that is open.
    private struct Current {
        let play: Play
        var tracked: TrackedAd
        var isReady = false
        var hasStarted = false
        /// `true` from each start to the next pause, also while it waits for data.
        var isPlaying = false
        /// The errors that were reported while it plays.
        var warnings: Set<VASTError> = []
    }

    /// How much longer than its document says an advertisement may last, in seconds.
    private static let tolerance = 2.0
    /// An advertisement that has not come this far, in seconds, was not displayed.
    private static let firstFrame = 0.1
    /// The longest advertisement whose document says no duration, in seconds.
    private static let longest = 600.0

    /// The reason of a verification that was not executed: the player does not support it. Source: VAST 4.2, section 3.17.
    private static let notSupported = "2"

    let plan: AdBreakPlan
    /// The longest time for which the break may play, in seconds.
    private let longestBreak: Double
    private let interstitial: InterstitialPlayer
    private let item: PlayerItem?
    private let context: AdContext
    private var ads: [LoadedBreak.Playable]
    private var replacements: ArraySlice<LoadedBreak.Playable>
    private var plays: [PlayerItem.ID: Play] = [:]
    private var current: Current?
    /// The advertisement that has played last, for companions and icons; `nil` before the first one.
    private(set) var latest: TrackedAd?
    /// The time for which the break has played, in seconds.
    private var played = 0.0
    private var stage = Stage.prepared
    private var observation: ObservationToken?

    /// Called after each change of `isWaiting`.
    var onChange: @MainActor () -> Void = {}
    /// Called when the break is over, once.
    var onEnd: @MainActor () -> Void = {}

    /// - Parameters:
    ///   - loaded: at least one advertisement.
    ///   - longest: the longest time for which the break may play; `nil` for any.
    ///   - item: the item that the break interrupts. Its policies apply.
    init(
        _ loaded: LoadedBreak, plan: AdBreakPlan, longest: Duration?, in interstitial: InterstitialPlayer,
        item: PlayerItem?, context: AdContext
    ) {
        self.plan = plan
        longestBreak = longest?.inSeconds ?? .infinity
        self.interstitial = interstitial
        self.item = item
        self.context = context
        ads = loaded.ads
        replacements = loaded.replacements[...]
    }

    private var player: MediaPlayer { interstitial.player }
    private var primary: MediaPlayer { interstitial.primary }

    /// `true` if the break has begun and no advertisement plays, although the user wants to play.
    var isWaiting: Bool {
        hasBegun && primary.snapshot.isPlaybackWanted && player.snapshot.suppression.isEmpty
            && player.snapshot.state != .play
    }

    /// `true` while an advertisement plays.
    var isPlaying: Bool { hasBegun && player.snapshot.state == .play }

    private var hasBegun: Bool { stage == .waiting || stage == .presenting }

    /// `true` if an advertisement of the break has played since the last time-out.
    private(set) var hasShownAd = false

    /// The advertisements that have not ended, for another player.
    var rest: (ads: [LoadedBreak.Playable], replacements: [LoadedBreak.Playable]) {
        var ads = ads.dropFirst(current?.play.index ?? 0)
        if current?.isReady == true, let first = ads.indices.first { ads[first].wasLoaded = true }
        return (Array(ads), Array(replacements))
    }

    // MARK: Playback

    /// Opens the first advertisement.
    func prepare() {
        observation = player.observe { [weak self] event, snapshot in self?.handle(event, snapshot) }
        load(from: 0)
    }

    /// Plays as soon as the first advertisement is ready.
    func begin() {
        stage = .waiting
        if observation == nil { prepare() }
        if current?.isReady == true { present() }
        onChange()
    }

    private func present() {
        context.report(.state(.loaded, plan.type))
        // The host may have loaded another item in its callback.
        guard stage == .waiting else { return }
        stage = .presenting
        context.track("breakStart", of: plan)
        interstitial.begin()
        showStatus()
    }

    /// Ends the break without a further report. The item resumes.
    func cancel() {
        guard stage != .over else { return }
        let wasPresenting = stage == .presenting
        stage = .over
        track(.closed)
        observation?.cancel()
        interstitial.end()
        primary.advertisement = nil
        if wasPresenting { context.track("breakEnd", of: plan) }
    }

    private func finish() {
        guard stage != .over else { return }
        cancel()
        onEnd()
    }

    private func load(from index: Int, files: ArraySlice<VASTLinear.MediaFile>? = nil) {
        guard stage != .over else { return }
        plays = [:]
        var items: [PlayerItem] = []
        for (number, playable) in ads.enumerated().dropFirst(index) {
            let files = number == index ? files ?? playable.files[...] : playable.files[...]
            guard let file = files.first else { continue }
            let item = makeItem(playable.ad, file)
            plays[item.id] = Play(index: number, file: file, rest: files.dropFirst())
            items.append(item)
        }
        player.load(items, autoPlay: stage == .presenting && primary.snapshot.isPlaybackWanted)
    }

    private func makeItem(_ ad: VASTAd, _ file: VASTLinear.MediaFile) -> PlayerItem {
        var item = PlayerItem(
            url: file.url, preferredPeakBitRate: self.item?.preferredPeakBitRate,
            metadata: MediaMetadata(title: ad.title), isAdvertisement: true)
        item.maximumResolution = self.item?.maximumResolution
        item.retryPolicy = self.item?.retryPolicy ?? .standard
        item.securityPolicy = self.item?.securityPolicy ?? .standard
        return item
    }

    // MARK: Events of the player

    private func handle(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        switch event {
        case .media: open(snapshot)
        case .duration(let duration): current?.tracked.tracker.duration = duration
        case .state(.ready):
            current?.isReady = true
            track(.loaded)
            if hasBegun { present() }
        case .state(.play): started()
        case .state(.pause):
            current?.isPlaying = false
            track(.paused)
            reportIfStarted(.pause)
        case .position(let position): moved(to: position)
        case .state(.complete):
            track(.completed)
            reportIfStarted(.complete)
            current = nil
            if player.isOver { finish() }
        case .mute(let isMuted): track(.muted(isMuted))
        case .error(let error):
            failed(VASTError(error))
            if player.isOver { finish() }
        default: break
        }
        if case .position = event {} else { showStatus() }
        onChange()
    }

    private func open(_ snapshot: PlayerSnapshot) {
        current = snapshot.item?.source.flatMap { plays[$0.id] }.map { play in
            var values = plan.type.macros
            values["ASSETURI"] = play.file.url.absoluteString
            values["ADCOUNT"] = String(play.index + 1)
            values["PODSEQUENCE"] = ads[play.index].ad.sequence.map(String.init)
            let (ad, wasLoaded) = (ads[play.index].ad, ads[play.index].wasLoaded)
            let tracker = AdTracker(ad, isVisible: primary.isVideoVisible, wasLoaded: wasLoaded)
            return Current(play: play, tracked: TrackedAd(tracker, context: context, values: values))
        }
    }

    private func started() {
        guard let current, !current.isPlaying else { return }
        let isFirst = !current.hasStarted
        self.current?.isPlaying = true
        self.current?.hasStarted = true
        hasShownAd = true
        track(.visible(primary.isVideoVisible))
        track(.playing)
        context.report(.state(.play, plan.type))
        guard isFirst else { return }
        let ad = current.tracked.ad
        if ad.linear?.interactiveFrameworks.isEmpty == false { warn(.interactiveNotExecuted) }
        guard !ad.verifications.isEmpty else { return }
        current.tracked.send(ad.verifications.flatMap(\.notExecuted), ["REASON": Self.notSupported])
        warn(.verificationNotExecuted)
    }

    private func moved(to position: Double) {
        played += max(0, position - (current?.tracked.position ?? position))
        track(.visible(primary.isVideoVisible))
        track(.position(position))
        checkSize()
        showStatus()
        if played > longestBreak + Self.tolerance {
            giveUp(.shortenedBreak)
            return finish()
        }
        let expected = current?.tracked.ad.linear?.duration
        guard position > expected.map({ $0 + Self.tolerance }) ?? Self.longest else { return }
        failed(.unexpectedDuration)
        skipToNext()
    }

    /// Reports a video whose proportions are not those of its document.
    private func checkSize() {
        guard let current, let size = player.snapshot.videoSize, let width = current.play.file.width, size.height > 0,
            let height = current.play.file.height, width > 0, height > 0
        else { return }
        let proportion = Double(width) / Double(height) / (Double(size.width) / Double(size.height))
        if !(0.8...1.25).contains(proportion) { warn(.unexpectedSize) }
    }

    private func reportIfStarted(_ state: AdState) {
        if current?.hasStarted == true { context.report(.state(state, plan.type)) }
    }

    private func track(_ event: AdTracker.Event) {
        current?.tracked.handle(event)
        if let current, current.hasStarted { latest = current.tracked }
    }

    private func showStatus() {
        guard stage == .presenting, let current else { return }
        var status = Advertisement(type: plan.type, number: current.play.index + 1, count: ads.count)
        status.position = current.tracked.position
        status.duration = current.tracked.tracker.duration
        status.describe(current.tracked.ad, current.tracked.clickThrough)
        primary.advertisement = status
    }

    // MARK: Failures

    /// An error beside the advertisement, which continues.
    private func warn(_ error: VASTError) {
        guard current?.warnings.insert(error).inserted == true else { return }
        track(.warned(error))
        context.report(error, plan, current?.tracked.ad)
    }

    /// Tries another media file or another advertisement in place of one that has not started.
    private func failed(_ error: VASTError) {
        guard let current else { return }
        if !current.hasStarted, !current.play.rest.isEmpty {
            return load(from: current.play.index, files: current.play.rest)
        }
        giveUp(error)
        guard !current.hasStarted, let replacement = replacement(at: current.play.index) else { return }
        ads[current.play.index] = replacement
        load(from: current.play.index)
    }

    /// Takes the next replacement with which the break does not become too long.
    private func replacement(at index: Int) -> LoadedBreak.Playable? {
        let time = longestBreak - played - ads.dropFirst(index + 1).reduce(0) { $0 + $1.length }
        while let next = replacements.popFirst() {
            if next.length <= time { return next }
        }
        return nil
    }

    private func giveUp(_ error: VASTError) {
        guard let current else { return }
        track(.failed(error))
        context.report(error, plan, current.tracked.ad)
        self.current = nil
    }

    private func skipToNext() {
        guard stage != .over else { return }
        player.advanceToNextItem()
        if player.snapshot.item == nil { finish() }
    }

    /// The waiting has taken too long.
    func timeOut() {
        let isDisplayed = current?.tracked.position ?? 0 > Self.firstFrame
        let isBlank = current?.isReady == true && !isDisplayed
        giveUp(isBlank ? .displayTimeout : .mediaTimeout)
        // If nothing was shown since the last time-out, the item must not wait any longer.
        guard hasShownAd else { return finish() }
        hasShownAd = false
        skipToNext()
    }

    // MARK: The viewer

    /// Skips the advertisement that plays, if the viewer may do so now.
    func skip() {
        guard primary.advertisement?.canSkip == true, current?.tracked.tracker.isRunning == true else { return }
        track(.skipped)
        context.report(.state(.skip, plan.type))
        current = nil
        skipToNext()
    }

    func click() {
        guard let current, current.tracked.canClick else { return }
        track(.clicked)
        context.reportClick(.state(.click, plan.type), current.tracked.clickThrough)
    }

    func setFullscreen(_ isFullscreen: Bool) { track(.fullscreen(isFullscreen)) }

    /// The video of the item is shown or hidden.
    func visibilityChanged() {
        track(.visible(primary.isVideoVisible))
        onChange()
    }

    /// The advertisement that plays, for companions and icons.
    var currentAd: VASTAd? { current.flatMap { $0.hasStarted ? $0.tracked.ad : nil } }
}

extension AdType {
    /// The value of `BREAKPOSITION`.
    fileprivate var position: String? {
        switch self {
        case .preRoll: "1"
        case .midRoll: "2"
        case .postRoll: "3"
        default: nil
        }
    }

    /// The values of macros for a break.
    var macros: [String: String] { position.map { ["BREAKPOSITION": $0] } ?? [:] }
}
