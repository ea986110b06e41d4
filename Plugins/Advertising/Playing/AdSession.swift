import FlowplayerSDK
import Foundation
import Playback

/// Performs the schedule of one item: loads it, loads the breaks, and holds the item meanwhile.
///
/// The rules are those of `AdScheduleMachine`. The item waits for nothing longer than the time-out: for its schedule, for the documents
/// of a break, and for its first frame, all together.
@MainActor
final class AdSession {
    private let player: MediaPlayer
    private let item: PlayerItem?
    private let options: AdOptions
    private let clock: any PlaybackClock
    private let timeout: Duration
    private let loader: AdLoader
    private let context: AdContext
    private let makeInterstitial: @MainActor () -> InterstitialPlayer

    private var machine: AdScheduleMachine
    private let effects = EffectQueue<AdScheduleMachine.Effect>()
    /// The loaded breaks that have not begun.
    private var loaded: [AdScheduleMachine.Slot: LoadedBreak] = [:]
    private var loading: [AdScheduleMachine.Slot: Task<Void, Never>] = [:]
    private var planning: Task<Void, Never>?
    /// The documents that are being loaded.
    var requests: [Task<Void, Never>] { (planning.map { [$0] } ?? []) + loading.values }
    /// The break that has begun; its advertisements may still be loading.
    private var begun: AdScheduleMachine.Slot?
    /// `true` if the host knows that a break has begun.
    private var hasReportedStart = false
    /// The break whose first advertisement is open.
    private var opened: (slot: AdScheduleMachine.Slot, break: AdBreakPlayer)?
    /// The advertisement that played last in the breaks that are over.
    private var latest: TrackedAd?
    private var timer: ObservationToken?
    /// The time when the viewer began to wait; `nil` while nobody waits.
    private var waitStart: Duration?
    /// The time for which the viewer may still wait, until the item or an advertisement plays.
    private var timeLeft: Duration
    private var isOver = false

    /// - Parameters:
    ///   - context: its player has loaded the item.
    ///   - containers: those that the engine of the advertisements plays; `nil` for all.
    ///   - makeInterstitial: returns the player of the advertisements. It is created with the first break that has one.
    init(
        options: AdOptions, context: AdContext, containers: Set<String>? = nil,
        makeInterstitial: @escaping @MainActor () -> InterstitialPlayer
    ) {
        (self.context, player) = (context, context.player)
        self.options = options
        clock = context.transport.clock
        timeout = max(options.timeout, .milliseconds(1))
        timeLeft = timeout
        self.makeInterstitial = makeInterstitial
        item = player.currentItem
        loader = AdLoader(transport: context.transport, options: options, item: item, containers: containers)
        machine = AdScheduleMachine(startPosition: player.snapshot.position)
    }

    /// Starts with a schedule of the host.
    func start(_ plans: [AdBreakPlan]) {
        itemChanged()
        if plans.contains(where: \.isAtStart) { player.suppress(.adLoading) }
        handle(.planned(plans))
        playerChanged()
    }

    /// Starts with a schedule on a server.
    func start(at url: URL) {
        itemChanged()
        player.suppress(.adLoading)
        let (loader, macros) = (loader, context.macros())
        planning = Task { [weak self] in
            do throws(VASTError) {
                let plans = try await loader.plans(at: url, macros)
                self?.planned(plans)
            } catch {
                self?.planningFailed(error)
            }
        }
        playerChanged()
    }

    private func planned(_ plans: [AdBreakPlan]) {
        guard !isOver, machine.state == .planning else { return }
        planning = nil
        handle(.planned(plans))
    }

    private func planningFailed(_ error: VASTError) {
        guard !isOver, machine.state == .planning else { return }
        context.report(error, nil, nil)
        planned([])
    }

    /// Ends everything, because the item is replaced.
    func end() {
        guard !isOver else { return }
        isOver = true
        planning?.cancel()
        for task in loading.values { task.cancel() }
        stopTimer()
        endBreak()
        player.endSuppression = nil
        player.adBreaks = []
        player.unsuppress(.adLoading)
    }

    /// Ends the break that plays, because its item cannot continue.
    private func endBreak() {
        let slot = begun
        begun = nil
        if let slot { loading.removeValue(forKey: slot)?.cancel() }
        close()
        reportEnd(of: slot)
    }

    private func close() {
        opened?.break.cancel()
        latest = opened?.break.latest ?? latest
        opened = nil
    }

    // MARK: The player

    func handle(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        guard !isOver else { return }
        switch event {
        case .duration, .playbackType: itemChanged()
        case .position(let position): if snapshot.isPlaying { handle(.position(position)) }
        case .seek(.seeking, let target): handle(.seek(target))
        case .state(.load): if machine.state == .over { handle(.restarted(at: snapshot.position)) }
        case .state(.complete): handle(.ended)
        case .state(.failure): failed()
        default: break
        }
        playerChanged()
    }

    private func itemChanged() {
        let snapshot = player.snapshot
        handle(.item(duration: snapshot.duration, isLive: snapshot.playbackType == .live))
    }

    /// A property without an event may have changed.
    func playerChanged() {
        guard !isOver else { return }
        if player.snapshot.isPlaybackWanted { handle(.wanted) }
        if player.snapshot.isHeldAtEnd, machine.state == .content { handle(.ended) }
        opened?.break.visibilityChanged()
        updateTimer()
    }

    /// The item may be tried again, and then has its other breaks.
    private func failed() {
        if begun != nil { endBreak() }
        if !isOver { handle(.failed) }
    }

    // MARK: The machine

    private func handle(_ input: AdScheduleMachine.Input) {
        guard effects.perform(machine.handle(input), by: { perform($0) }), !isOver else { return }
        let end = machine.playsBreakAtEnd || machine.isInBreak ? SuppressionReason.adLoading : nil
        if player.endSuppression != end { player.endSuppression = end }
        let markers = machine.markers.map { $0...$0 }
        if player.adBreaks != markers { player.adBreaks = markers }
        updateTimer()
    }

    private func perform(_ effect: AdScheduleMachine.Effect) {
        guard !isOver else { return }
        switch effect {
        case .prepare(let slot): prepare(slot)
        case .begin(let slot): begin(slot)
        case .releaseContent:
            // The engine may have come to the end during the break.
            if player.snapshot.isHeldAtEnd, machine.state == .content {
                handle(.ended)
            } else {
                player.unsuppress(.adLoading)
            }
        }
    }

    private func type(of slot: AdScheduleMachine.Slot?) -> AdType {
        slot.map { machine.plans[$0.plan].type } ?? .unknown
    }

    private func prepare(_ slot: AdScheduleMachine.Slot) {
        // Its documents are known already if another break has closed it.
        if let found = loaded[slot] { return openAhead(slot, found) }
        let (loader, plan) = (loader, machine.plans[slot.plan])
        let macros = context.macros(nil, 0, plan.type.macros)
        loading[slot] = Task { [weak self] in
            let found = await loader.load(plan, macros)
            self?.finishLoading(slot, found)
        }
    }

    private func finishLoading(_ slot: AdScheduleMachine.Slot, _ found: LoadedBreak) {
        guard !isOver, loading.removeValue(forKey: slot) != nil else { return }
        loaded[slot] = found
        // Another break that plays comes first.
        if begun == nil || begun == slot { reportFailures(of: slot) }
        guard !isOver else { return }
        if begun == slot {
            beginLoaded(slot)
        } else {
            openAhead(slot, found)
        }
        updateTimer()
    }

    /// Opens the first advertisement of a break before its turn.
    private func openAhead(_ slot: AdScheduleMachine.Slot, _ found: LoadedBreak) {
        if begun == nil, opened == nil, !found.ads.isEmpty { open(slot, found).prepare() }
    }

    private func reportFailures(of slot: AdScheduleMachine.Slot) {
        let failures = loaded[slot]?.failures ?? []
        loaded[slot]?.failures = []
        // The schedule receives the first one.
        for (number, failure) in failures.enumerated() {
            report(failure, of: slot, number == 0 ? machine.plans[slot.plan].trackers(of: "error") : [])
        }
    }

    private func report(_ failure: VASTResolver.Failure, of slot: AdScheduleMachine.Slot, _ trackers: [String]) {
        let plan = machine.plans[slot.plan]
        let number = String(failure.error.rawValue)
        var values = plan.type.macros
        (values["ERRORCODE"], values["ERROR_CODE"]) = (number, number)
        values["ERROR_MESSAGE"] = String(describing: failure.error)
        context.track(failure.trackers + trackers, failure.ad, 0, values)
        context.report(failure.error, plan, failure.ad)
    }

    private func open(_ slot: AdScheduleMachine.Slot, _ found: LoadedBreak) -> AdBreakPlayer {
        if let opened {
            opened.break.cancel()
            let rest = opened.break.rest
            loaded[opened.slot]?.ads = rest.ads
            loaded[opened.slot]?.replacements = rest.replacements
            handle(.closed(opened.slot))
        }
        let adBreak = AdBreakPlayer(
            found, plan: machine.plans[slot.plan], longest: options.longestBreak, in: makeInterstitial(), item: item,
            context: context)
        adBreak.onChange = { [weak self] in self?.updateTimer() }
        adBreak.onEnd = { [weak self] in self?.breakEnded(slot) }
        opened = (slot, adBreak)
        return adBreak
    }

    private func begin(_ slot: AdScheduleMachine.Slot) {
        begun = slot
        if loaded[slot]?.isExpired(at: clock.hostTime) == true {
            loaded[slot] = nil
            if opened?.slot == slot { close() }
            prepare(slot)
        }
        // The viewer has waited long enough for the breaks before this one.
        if timeLeft <= .zero { loading.removeValue(forKey: slot)?.cancel() }
        if loading[slot] != nil {
            hold(for: slot)
        } else {
            reportFailures(of: slot)
            // The host may have loaded another item in its callback.
            if !isOver, begun == slot { beginLoaded(slot) }
        }
    }

    /// The item waits for the advertisements of a break.
    private func hold(for slot: AdScheduleMachine.Slot) {
        player.suppress(.adLoading)
        guard !hasReportedStart else { return }
        hasReportedStart = true
        context.report(.state(.start, type(of: slot)))
    }

    private func reportEnd(of slot: AdScheduleMachine.Slot?) {
        guard hasReportedStart else { return }
        hasReportedStart = false
        context.report(.state(.idle, type(of: slot)))
    }

    private func beginLoaded(_ slot: AdScheduleMachine.Slot) {
        let found = loaded.removeValue(forKey: slot) ?? LoadedBreak()
        guard !found.ads.isEmpty, timeLeft > .zero else { return breakEnded(slot) }
        let adBreak = opened.flatMap { $0.slot == slot ? $0.break : nil } ?? open(slot, found)
        // It may take a moment to open.
        hold(for: slot)
        // The host may have loaded another item in its callback.
        if !isOver, begun == slot { adBreak.begin() }
    }

    private func breakEnded(_ slot: AdScheduleMachine.Slot) {
        guard !isOver else { return }
        if opened?.slot == slot { close() }
        // Its files have failed before its turn.
        guard begun == slot else {
            loaded[slot] = nil
            return
        }
        begun = nil
        reportEnd(of: slot)
        guard !isOver else { return }
        handle(.breakEnded)
    }

    // MARK: The time-out

    /// `true` while the viewer waits for an advertisement.
    private var isWaiting: Bool {
        guard player.snapshot.isPlaybackWanted else { return false }
        if let opened, opened.slot == begun { return opened.break.isWaiting }
        return begun != nil || machine.state == .planning
    }

    private func updateTimer() {
        guard !isOver else { return }
        if !isWaiting {
            stopTimer()
            if player.snapshot.isPlaying || current?.isPlaying == true { timeLeft = timeout }
        } else if waitStart == nil, timeLeft > .zero {
            waitStart = clock.hostTime
            timer = clock.schedule(at: clock.hostTime + timeLeft) { [weak self] in self?.timeOut() }
        }
    }

    /// Keeps the rest of the time. Only `timeOut` ends it.
    private func stopTimer() {
        timer = nil
        if let waitStart { timeLeft = max(timeLeft - (clock.hostTime - waitStart), .milliseconds(1)) }
        waitStart = nil
    }

    private func timeOut() {
        // A break that has begun to play waits as long for its next advertisement.
        timeLeft = current?.hasShownAd == true ? timeout : .zero
        (timer, waitStart) = (nil, nil)
        guard !isOver else { return }
        // A cancelled task ends at once, with the error and those that receive it.
        planning?.cancel()
        if let opened, opened.slot == begun {
            opened.break.timeOut()
            updateTimer()
        } else if let slot = begun {
            loading[slot]?.cancel()
        }
    }

    // MARK: The viewer

    private var current: AdBreakPlayer? { begun == nil ? nil : opened?.break }

    func skip() { current?.skip() }
    func click() { current?.click() }
    func setFullscreen(_ isFullscreen: Bool) { current?.setFullscreen(isFullscreen) }

    /// The advertisement that plays.
    var currentAd: VASTAd? { current?.currentAd }

    /// The advertisement that plays, or the last one. Its trackers can be called.
    var trackedAd: TrackedAd? { current?.latest ?? latest }
}
