import Foundation
import Playback

/// Loads the breaks that a session names, and calls their trackers.
///
/// The server may add breaks while the stream plays. The trackers are called once, also if a break plays again.
@MainActor
final class SessionTracking {
    private let address: URL
    private let origin: URL
    private let timeout: Duration
    let context: AdContext

    private var player: MediaPlayer { context.player }
    private var clock: any PlaybackClock { context.transport.clock }
    /// Those that the server has named, by their positions.
    private(set) var breaks: [SessionBreak] = []
    /// The start of the break that plays.
    private var currentBreak: Double?
    /// The start of the advertisement that plays.
    private var currentAdStart: Double?
    /// The position from which playback has come without a seek.
    private var playedFrom: Double?
    /// The position to which playback has come.
    private var position = 0.0
    /// The advertisement that plays; `nil` if none plays, or if the server has not named it yet.
    private(set) var tracked: TrackedAd?
    /// The parts of breaks whose trackers were called.
    private var called: Set<Called> = []
    private(set) var request: Task<Void, Never>?
    private var timer: ObservationToken?
    /// The number of requests.
    private var attempts = 0
    private var hasWarned = false
    private var isOver = false

    private enum Called: Hashable {
        /// The advertisement that starts at a position.
        case ad(Double)
        /// An event of the break that starts at a position.
        case event(String, Double)
    }

    /// Called after each change of `breaks`.
    var onChange: @MainActor () -> Void = {}

    /// The time between two requests.
    private static let interval = Duration.seconds(10)
    /// The largest number of requests for a document without breaks, if the stream is not live.
    private static let mostAttempts = 6
    /// A position so far from the last one, in seconds, is another place.
    private static let jump = 2.0

    /// - Parameters:
    ///   - address: that of the document.
    ///   - origin: the server that names the address.
    ///   - timeout: the longest time of a request.
    init(at address: URL, from origin: URL, timeout: Duration, context: AdContext) {
        (self.address, self.origin, self.timeout) = (address, origin, timeout)
        self.context = context
    }

    func end() {
        finish()
        isOver = true
        request?.cancel()
        timer = nil
    }

    // MARK: The document

    /// Loads the document. The server knows it when the stream is open.
    func load() {
        guard !isOver, request == nil else { return }
        timer = nil
        attempts += 1
        request = Task { [weak self, transport = context.transport, address, origin, timeout] in
            let data = try? await transport.body(
                at: address, from: origin, upTo: SessionBreak.largestDocument, within: timeout)
            self?.finishLoading(data)
        }
    }

    private func finishLoading(_ data: Data?) {
        request = nil
        guard !isOver else { return }
        if let breaks = data.flatMap({ SessionBreak.breaks(in: $0) }) {
            self.breaks = breaks
            begin()
            onChange()
        } else if !hasWarned {
            hasWarned = true
            let message = "The trackers of the stream could not be loaded. Advertisements are not counted meanwhile."
            player.warn(PlaybackNotice(code: "trackersUnavailable", message: message))
        }
        // A stream that is not live has all its breaks from the start.
        let mayHaveBreaks = breaks.isEmpty && attempts < Self.mostAttempts
        guard !isOver, mayHaveBreaks || player.snapshot.playbackType == .live else { return }
        timer = clock.schedule(at: clock.hostTime + Self.interval) { [weak self] in self?.load() }
    }

    // MARK: The advertisement that plays

    /// Follows a state of the stream.
    ///
    /// - Parameters:
    ///   - adBreak: the start of the break that plays.
    ///   - ad: the start of the advertisement that plays.
    func follow(_ state: DAIStateStream, adBreak: Double?, ad: Double?) {
        switch state {
        case .adBreakStarted: currentBreak = adBreak
        case .adStarted: currentAdStart = ad
        case .adPaused: handle(.paused)
        case .adResumed: handle(.playing)
        case .adSkipped: finish(with: .skipped)
        case .adCompleted: finish(with: .completed)
        case .adBreakEnded:
            finish()
            callBreak("breakEnd")
            currentBreak = nil
        case .idle, .loaded, .adClicked: break
        }
        begin()
    }

    /// Starts the trackers of the break and of the advertisement as soon as the server has named them.
    private func begin() {
        callBreak("breakStart")
        guard tracked == nil, let start = currentAdStart, let found = ad(at: start),
            called.insert(.ad(found.start)).inserted
        else { return }
        let tracker = AdTracker(found.ad, isVisible: player.isVideoVisible, from: max(0, (playedFrom ?? start) - start))
        tracked = TrackedAd(tracker, context: context, values: [:])
        handle(.playing)
        move(to: position)
    }

    private func finish(with event: AdTracker.Event = .closed) {
        handle(event)
        (tracked, currentAdStart) = (nil, nil)
    }

    /// Calls trackers of the advertisement that plays.
    func handle(_ event: AdTracker.Event) { tracked?.handle(event) }

    /// Playback has come to a position of the stream.
    func move(to position: Double) {
        (playedFrom, self.position) = (playedFrom ?? position, position)
        guard let start = currentAdStart else { return }
        handle(.visible(player.isVideoVisible))
        handle(.position(max(0, position - start)))
    }

    /// The viewer seeks. The part between was not seen, so the advertisement does not count any further.
    func seek(to target: Double) {
        (playedFrom, position) = (target, target)
        guard let tracked, let start = currentAdStart else { return }
        if abs(target - start - tracked.position) > Self.jump { finish() }
    }

    private func callBreak(_ event: String) {
        guard let currentBreak, let found = breaks.first(where: { $0.contains(currentBreak) }),
            called.insert(.event(event, found.start)).inserted
        else { return }
        context.track(found.tracking.filter { $0.event == event }.map(\.address))
    }

    private func ad(at start: Double) -> SessionBreak.Ad? {
        breaks.lazy.flatMap(\.ads).first { abs($0.start - start) < StreamBreak.tolerance }
    }

    /// Adds the title, the page and the skip position of an advertisement.
    func describe(_ advertisement: inout Advertisement?, startingAt start: Double) {
        guard let position = advertisement?.position, let found = ad(at: start) else { return }
        let page =
            tracked?.ad == found.ad
            ? tracked?.clickThrough : context.clickThrough(of: found.ad, context.macros(found.ad, position).fresh())
        advertisement?.describe(found.ad, page)
    }
}
