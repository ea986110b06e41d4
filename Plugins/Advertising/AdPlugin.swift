import FlowplayerSDK
import Foundation
import Playback

/// Plays the advertisements of a player's items.
///
/// ```swift
/// let ads = AdPlugin()
/// view.attach(ads)
/// view.adDelegate = self
/// view.load(external: MediaExternal(url: film, adSchedule: AdScheduleRemote(url: schedule)))
/// ```
///
/// The schedule is that of the `MediaExternal`, that of the video platform, or else `schedule`. The documents are VAST 2.0 to 4.2 and
/// VMAP 1.0. The advertisements play in a second player of the same engine, which is prepared before a break. The item resumes where it
/// was. `adDelegate`, notifications and `PlayerEvent.ad` report what happens, `PlayerSnapshot.advertisement` has what a view shows.
///
/// The breaks that a server has inserted into a stream are found by the marks of the stream. `daiDelegate`, notifications and
/// `PlayerEvent.ad` report them. `AdOptions.sessions` has the addresses that start the session of a `MediaDAI`.
///
/// A plugin serves one player. Each player needs its own.
@preconcurrency @MainActor
public final class AdPlugin: PlayerPlugin {
    /// The settings. A change applies from the next item on.
    public var options: AdOptions
    /// The schedule of items that have none; `nil`, the default, if they show no advertisements.
    public var schedule: (any AdSchedule)? {
        didSet { prepare(facade?.queue) }
    }

    private let makeBackend: @MainActor () -> any PlaybackBackend
    /// The engine of the advertisements; `nil` if the host creates it.
    private let backend: BackendName?
    private let clock: any PlaybackClock
    private let send: AdTransport.Send?
    private weak var facade: (any FlowplayerAPI)?
    private var interstitial: InterstitialPlayer?
    private(set) var session: AdSession?
    private var stream: StreamAdSession?
    /// The session that was started last, and the answer of its server.
    private var started: (session: UUID, answer: DAISession.Answer)?
    /// Those with requests that wait.
    private var senders: [TrackingSender] = []
    /// The parts of an advertisement that the host has shown, or the viewer has clicked.
    private var reportedParts: (ad: UUID?, parts: Set<[AnyHashable]>) = (nil, [])
    private var observations: [ObservationToken] = []
    private var limitsPreloading = false

    /// - Parameters:
    ///   - backend: the engine of the advertisements. It should be that of the player.
    ///   - schedule: the schedule of items that have none.
    ///   - options: the settings.
    public convenience init(
        backend: BackendName = .default, schedule: (any AdSchedule)? = nil, options: AdOptions = AdOptions()
    ) {
        self.init(schedule: schedule, options: options, clock: ContinuousClock(), send: nil, backend: backend) {
            BackendRegistry.makeBackend(backend)
        }
    }

    /// - Parameters:
    ///   - schedule: the schedule of items that have none.
    ///   - options: the settings.
    ///   - clock: the clock of the player.
    ///   - makeBackend: returns an engine for the advertisements alone.
    public convenience init(
        schedule: (any AdSchedule)? = nil, options: AdOptions = AdOptions(),
        clock: any PlaybackClock = ContinuousClock(), makeBackend: @escaping @MainActor () -> any PlaybackBackend
    ) {
        self.init(schedule: schedule, options: options, clock: clock, send: nil, makeBackend: makeBackend)
    }

    /// - Parameter send: sends one request; `nil` for HTTP.
    init(
        schedule: (any AdSchedule)?, options: AdOptions, clock: any PlaybackClock, send: AdTransport.Send?,
        backend: BackendName? = nil, makeBackend: @escaping @MainActor () -> any PlaybackBackend
    ) {
        (self.schedule, self.options, self.clock) = (schedule, options, clock)
        (self.send, self.backend) = (send, backend)
        self.makeBackend = makeBackend
    }

    // MARK: The player

    /// Refuses all players while it is attached to one.
    public func refusal(of player: any FlowplayerAPI) -> PlaybackNotice? {
        facade == nil ? nil : .advertisingInUse
    }

    public func attach(to player: any FlowplayerAPI) {
        facade = player
        prepare(player.queue)
        observations = [
            player.observe(\.isPlaybackWanted) { [weak self] _, _ in
                self?.session?.playerChanged()
                self?.stream?.intentChanged()
            },
            player.observe(\.markers) { [weak self] _, _ in self?.stream?.markersChanged() },
            player.observe(\.showsVideo) { [weak self] _, _ in
                self?.session?.playerChanged()
                self?.stream?.visibilityChanged()
            },
            player.observe(\.isHeldAtEnd) { [weak self] _, _ in self?.session?.playerChanged() },
        ]
        if let view = player as? FlowplayerView {
            observations.append(
                view.fullscreenObservers.add { [weak self] isFullscreen in
                    self?.session?.setFullscreen(isFullscreen)
                    self?.stream?.track(.fullscreen(isFullscreen))
                })
        }
        // The session of an item without an address starts when it is resolved.
        if player.snapshot.item?.url != nil { startSession(player) }
    }

    public func detach() {
        endSession()
        observations = []
        interstitial = nil
        facade?.queue?.expectsInterstitials = false
        if limitsPreloading { facade?.queue?.allowsPreloading = true }
        (facade, limitsPreloading) = (nil, false)
    }

    /// The host may replace the player of a view.
    private func prepare(_ player: MediaPlayer?) {
        player?.expectsInterstitials = true
        guard limitsPreloading || schedule != nil else { return }
        // The first advertisement of an item plays before it.
        limitsPreloading = schedule != nil
        player?.allowsPreloading = !limitsPreloading
    }

    public func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        guard player === facade else { return }
        switch event {
        case .media(let url):
            endSession()
            // The schedule of an item of the platform comes with its address.
            if url != nil { startSession(player) }
        case .resolved: startSession(player)
        case .state(.idle): endSession()
        default: break
        }
        session?.handle(event, snapshot)
        stream?.handle(event, snapshot)
    }

    // MARK: The item

    private func startSession(_ facade: any FlowplayerAPI) {
        endSession()
        guard let player = facade.queue else { return }
        prepare(player)
        guard let schedule = schedule(of: facade) else { return followStream(of: facade, player) }
        let session = AdSession(
            options: options.limited(by: facade.ovpConfig?.ima), context: context(of: facade, player),
            containers: backend.flatMap { BackendRegistry.shared.descriptor(named: $0)?.containers }
        ) { [unowned self] in interstitial(for: player) }
        self.session = session
        switch schedule {
        case .breaks(let plans): session.start(plans)
        case .address(let url): session.start(at: url)
        }
    }

    /// Follows the breaks that a server has inserted.
    private func followStream(of facade: any FlowplayerAPI, _ player: MediaPlayer) {
        guard options.followsStreamBreaks else { return }
        let dai = facade.media as? MediaDAI
        let isSession = dai != nil && player.currentItem?.url != dai?.stream.backupStream
        let answer = started.flatMap { isSession && $0.session == dai?.sessionID ? $0.answer : nil }
        let tracking = answer.flatMap { answer in
            answer.tracking.map { address in
                SessionTracking(
                    at: address, from: answer.origin, timeout: options.timeout, context: context(of: facade, player))
            }
        }
        stream = StreamAdSession(player: player, clock: clock, isSession: isSession, tracking: tracking)
    }

    private func context(of facade: any FlowplayerAPI, _ player: MediaPlayer) -> AdContext {
        let sender = TrackingSender(AdTransport(for: player.currentItem, clock: clock, send: send))
        senders.removeAll(where: \.isIdle)
        senders.append(sender)
        return AdContext(player: player, sender: sender, macros: options.macros, isAutoplayed: facade.autoPlay) {
            [weak facade] in
            (facade as? any FlowplayerViewAPI)?.isFullscreen == true
        }
    }

    private func endSession() {
        session?.end()
        session = nil
        stream?.end()
        stream = nil
    }

    private enum Schedule {
        case breaks([AdBreakPlan])
        case address(URL)
    }

    private func schedule(of player: any FlowplayerAPI) -> Schedule? {
        if let ads = player.ovpConfig?.ima?.ads, !ads.isEmpty { return .breaks(ads.compactMap(\.plan)) }
        if player.media is MediaDAI { return nil }
        switch (player.media as? MediaExternal)?.adSchedule ?? schedule {
        case let schedule as AdScheduleWaterfall: return .breaks(schedule.plans)
        case let schedule as AdScheduleRemote: return .address(schedule.url)
        default: return nil
        }
    }

    private func interstitial(for player: MediaPlayer) -> InterstitialPlayer {
        if let interstitial, interstitial.primary === player { return interstitial }
        let interstitial = InterstitialPlayer(for: player, backend: makeBackend())
        self.interstitial = interstitial
        return interstitial
    }

    // MARK: The viewer

    public var playsAds: Bool { true }

    public func sessionRequest(for media: MediaDAI) -> DAISessionRequest? {
        guard let session = DAISession(of: media, by: options) else { return nil }
        let transport = AdTransport(for: media, clock: clock, send: send)
        return { [weak self] () async throws(PlaybackError) in
            let answer = try await session.start(by: transport)
            await self?.keep(answer, of: media)
            return answer.stream
        }
    }

    private func keep(_ answer: DAISession.Answer, of media: MediaDAI) { started = (media.sessionID, answer) }

    public func skipAd() {
        session?.skip()
        stream?.skip()
    }

    public func clickAd() {
        session?.click()
        stream?.click()
    }

    /// The documents that are being loaded.
    var requests: [Task<Void, Never>] { (session?.requests ?? []) + (stream?.requests ?? []) }

    /// The advertisement that plays, with its companions, icons and non-linear parts; `nil` if there is none.
    public var currentAd: VASTAd? { session?.currentAd ?? stream?.trackedAd?.ad }

    /// The host shows a companion. Its trackers are called, once.
    public func didShow(_ companion: VASTCompanion) { track("view", of: companion, companion.viewTracking) }
    /// The viewer clicked a companion, also after its advertisement. Its trackers are called, once. The host opens its address.
    public func didClick(_ companion: VASTCompanion) { track("click", of: companion, companion.clickTracking) }
    /// The host shows an icon. Its trackers are called, once.
    public func didShow(_ icon: VASTLinear.Icon) { track("view", of: icon, icon.viewTracking) }
    /// The viewer clicked an icon, also after its advertisement. Its trackers are called, once. The host opens its address.
    public func didClick(_ icon: VASTLinear.Icon) { track("click", of: icon, icon.clickTracking) }
    /// The host shows a non-linear part. Its trackers of `creativeView` are called, once.
    public func didShow(_ nonLinear: VASTNonLinear) { track("creativeView", of: nonLinear) }
    /// The viewer clicked a non-linear part. Its trackers are called, once. The host opens its address.
    public func didClick(_ nonLinear: VASTNonLinear) { track("click", of: nonLinear, nonLinear.clickTracking) }
    /// The viewer closed a non-linear part. Its trackers of `close` are called, once.
    public func didClose(_ nonLinear: VASTNonLinear) { track("close", of: nonLinear) }

    /// The host cannot show a companion, an icon or a non-linear part of the advertisement that plays. Its server receives the error.
    public func didFail(with error: VASTError) {
        if let ad = currentAd { trackedAd?.send(ad.errors, error) }
    }

    private func track(_ event: String, of nonLinear: VASTNonLinear) {
        let creative = currentAd?.creatives.first { $0.nonLinears.contains(nonLinear) }
        track(event, of: nonLinear, (creative?.nonLinearTracking ?? []).filter { $0.event == event }.map(\.address))
    }

    private func track(_ event: String, of part: some Hashable, _ addresses: [String]) {
        if let id = trackedAd?.id, id != reportedParts.ad { reportedParts = (id, []) }
        if reportedParts.parts.insert([event, part]).inserted { trackedAd?.send(addresses) }
    }

    /// The advertisement that plays, or the last one of the schedule.
    private var trackedAd: TrackedAd? { session?.trackedAd ?? stream?.trackedAd }

    /// Waits until all trackers so far were called, or the time is over. For a program that ends.
    ///
    /// - Parameter timeout: the longest time.
    public func finishTracking(within timeout: Duration = .seconds(3)) async {
        let (isOver, end) = AsyncStream<Void>.makeStream()
        let work = Task { [senders] in
            for sender in senders { await sender.finish() }
            end.finish()
        }
        let timer = clock.schedule(at: clock.hostTime + timeout) { end.finish() }
        for await _ in isOver {}
        timer.cancel()
        work.cancel()
    }
}

extension PlaybackNotice {
    fileprivate static let advertisingInUse = PlaybackNotice(
        code: "advertisingInUse",
        message: "The plugin for advertisements serves a player already. Create one for each player.")
}

extension OVPAd {
    /// The break of an advertisement of the platform.
    fileprivate var plan: AdBreakPlan? {
        let address = adTagUrl?.absoluteString ?? adTag
        guard !address.isEmpty else { return nil }
        let position: AdBreakPlan.Position =
            switch time {
            case nil, 0: .start
            case .some(let time) where time < 0: .end
            case .some(let time): .time(.seconds(Double(time) / 1000))
            }
        return AdBreakPlan(position: position, sources: [.address(address)])
    }
}
