import Foundation
import Playback

@testable import VLCBackend

/// Drives the state machine with libVLC's events, in virtual time.
struct StateMachineDriver {
    typealias Action = VLCStateMachine.Action

    static let film = VLCMediaInfo(
        duration: 10, isSeekable: true,
        streams: [VLCTrack(id: 0, kind: .video, size: VideoSize(width: 64, height: 36)), VLCTrack(id: 1, kind: .audio)])
    static let song = VLCMediaInfo(duration: 10, isSeekable: true, streams: [VLCTrack(id: 0, kind: .audio)])

    var machine: VLCStateMachine
    var info: VLCMediaInfo
    var now = Duration.zero
    /// The actions of the last event.
    var actions: [Action] = []
    private var engineTime = Duration.zero

    init(
        _ info: VLCMediaInfo = film, url: URL = URL(filePath: "/clip"), plays: Bool = true, showsVideo: Bool = true,
        retry: RetryPolicy = .standard, canReaddress: Bool = false
    ) {
        self.info = info
        var item = PlayerItem(url: url)
        item.retryPolicy = retry
        machine = VLCStateMachine(
            OpenRequest(generation: .none, item: item, canReaddress: canReaddress),
            wantsToPlay: plays, showsVideo: showsVideo, at: .zero)
        actions = machine.begin(at: now)
    }

    @discardableResult
    mutating func send(_ event: VLCEvent) -> [Action] {
        actions = machine.handle(event, info: machine.wantsInfo(with: event) ? info : nil, at: now)
        return actions
    }

    /// Sends the events of an opening, up to full buffers.
    @discardableResult
    mutating func open(showsVideo: Bool = true) -> [Action] {
        if showsVideo { send(.videoOutputs(1)) }
        for stream in info.streams {
            send(.streamAdded(stream.id, stream.kind))
            if stream.kind != .subtitle { send(.streamSelected(stream.id, stream.kind)) }
        }
        send(.playing)
        send(.buffering(0))
        return send(.buffering(100))
    }

    /// Advances the time without an event.
    mutating func wait(_ seconds: Double) { now += .seconds(seconds) }

    /// Advances the time without an event, and checks the progress.
    mutating func check(after seconds: Double, silence: Duration? = nil) {
        wait(seconds)
        actions = machine.checkProgress(at: now, silence: silence)
    }

    /// Advances the time with the time events of an item that plays. Returns all actions.
    @discardableResult
    mutating func play(_ seconds: Double) -> [Action] {
        var all: [Action] = []
        let end = now + .seconds(seconds)
        while now < end {
            let step = min(.milliseconds(250), end - now)
            now += step
            engineTime += step
            all += send(.timeChanged(Int64((engineTime / .milliseconds(1)).rounded())))
        }
        return all
    }

    /// The connection is lost, and libVLC has no more data.
    mutating func lose(_ error: PlaybackError) {
        machine.readingEnded(error)
        send(.endReached)
    }

    var restarts: [(position: Double, delay: Double)] {
        actions.compactMap { if case .restart(let position, let delay) = $0 { (position, delay) } else { nil } }
    }

    var failure: PlaybackError? {
        actions.lazy.compactMap { if case .report(.failed(let error, _)) = $0 { error } else { nil } }.first
    }
}
