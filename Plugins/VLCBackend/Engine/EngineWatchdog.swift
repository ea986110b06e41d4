#if VLC
import Foundation
import Playback
import Synchronization

/// Gives commands to a worker, and its events to the player. A worker that is stuck in libVLC is left where it is: the
/// item that plays is told to have failed, and another worker does what is still to be done.
final class EngineWatchdog: Sendable {
    /// What is told of an item that is open.
    private struct Item {
        let url: URL
        var position: Double
        /// Whether it is prepared, and its turn has not come.
        var isAhead: Bool
        /// Whether it has been asked to go.
        var isClosing = false
    }

    private struct State {
        var receive: @Sendable (BackendEvent) -> Void = { _ in }
        var worker: VLCExecutor?
        /// Counts the workers: what an earlier one tells is not told.
        var number = 0
        /// Commands that the worker has not begun, the oldest first.
        var pending: [BackendCommand] = []
        /// What it is doing.
        var executing: BackendCommand?
        var controls = VLCControls()
        var items: [Generation: Item] = [:]

        mutating func add(_ request: OpenRequest, isAhead: Bool = false) {
            let new = Item(url: request.url, position: request.startPosition, isAhead: isAhead)
            items[request.generation, default: new].isAhead = isAhead
        }
    }

    private static let abandoned = Mutex(0)

    /// How many workers of this process have been left behind.
    static var abandonedCount: Int { abandoned.withLock(\.self) }

    private let audioOutput: AudioOutput
    private let patience: Double
    private let state = Mutex(State())

    init(audioOutput: AudioOutput, patience: Double) {
        self.audioOutput = audioOutput
        self.patience = patience
        ProcessMemory.limitHeaps
        state.withLock { $0.worker = makeWorker($0) }
        // libVLC starts while the host makes up its mind what to play.
        state.withLock(\.worker)?.queue.async { _ = VLCInstance.shared }
    }

    private func makeWorker(_ state: borrowing State) -> VLCExecutor {
        let number = state.number
        return VLCExecutor(audioOutput: audioOutput, controls: state.controls, patience: patience) { [weak self] in
            self?.take($0, from: number)
        } stuck: { [weak self] in
            self?.replace(number)
        }
    }

    func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { state.withLock { $0.receive = receive } }

    func send(_ command: BackendCommand) {
        state.withLock { state in
            state.controls.apply(command)
            state.pending.append(command)
            enqueue(state)
        }
    }

    func setVideoOutput(_ output: VideoOutput) {
        state.withLock { state in
            state.controls.videoOutput = output
            guard let worker = state.worker else { return }
            worker.queue.async { [worker] in worker.setVideoOutput(output) }
        }
    }

    func shutDown() {
        state.withLock { state in
            guard let worker = state.worker else { return }
            worker.queue.async { [worker, receive = state.receive] in
                worker.shutDown()
                withExtendedLifetime(receive) {}
            }
        }
    }

    /// Lets the worker do one more of the pending commands.
    private func enqueue(_ state: borrowing State) {
        guard let worker = state.worker else { return }
        let number = state.number
        worker.queue.async { [weak self, worker] in
            guard let command = self?.begin(number) else { return }
            worker.handle(command)
            self?.finish(number)
        }
    }

    private func begin(_ number: Int) -> BackendCommand? {
        state.withLock { state -> BackendCommand? in
            guard number == state.number, !state.pending.isEmpty else { return nil }
            let command = state.pending.removeFirst()
            state.executing = command
            switch command {
            case .open(let request):
                for generation in state.items.keys where generation != request.generation {
                    state.items[generation]?.isClosing = true
                }
                state.add(request)
            case .prepare(let request, _): state.add(request, isAhead: true)
            case .close(let generation): state.items[generation]?.isClosing = true
            default: break
            }
            return command
        }
    }

    private func finish(_ number: Int) {
        state.withLock { if number == $0.number { $0.executing = nil } }
    }

    private func take(_ event: BackendEvent, from number: Int) {
        state.withLock { state in
            guard number == state.number else { return }
            switch event.body {
            case .ended, .failed, .closed: state.items[event.generation] = nil
            case .playing(let position), .paused(let position), .stalled(let position), .time(let position),
                .seeked(let position):
                state.items[event.generation]?.position = position
            default: break
            }
            state.receive(event)
        }
    }

    private func replace(_ number: Int) {
        let count = Self.abandoned.withLock { count in
            count += 1
            return count
        }
        VLCInstance.renew()
        let time = ContinuousClock().hostTime
        let notice = PlaybackNotice(
            code: "engineStuck",
            message:
                "libVLC did not come back from a call, and was given up: \(count) times in this process so far.")
        state.withLock { state in
            guard number == state.number else { return }
            // What was to be opened is stuck behind what was to be closed for it.
            if case .open(let request)? = state.executing, state.items.count > 1 {
                state.pending.insert(.open(request), at: 0)
            }
            for case .open(let request) in state.pending { state.items[request.generation] = nil }
            // What is prepared goes before its turn comes, which is when the one that plays fails.
            let items = state.items.sorted { $0.key > $1.key }
            if let oldest = items.last?.key {
                state.receive(BackendEvent(.notice(notice), generation: oldest, hostTime: time))
            }
            for (generation, item) in items {
                let error = PlaybackError(.engineStuck, url: item.url)
                let isClosed = item.isClosing || item.isAhead
                let body: BackendEvent.Body = isClosed ? .closed : .failed(error, position: item.position)
                state.receive(BackendEvent(body, generation: generation, hostTime: time))
            }
            (state.items, state.executing) = ([:], nil)
            state.number += 1
            state.worker = makeWorker(state)
            for _ in state.pending { enqueue(state) }
        }
    }
}

extension VLCControls {
    fileprivate mutating func apply(_ command: BackendCommand) {
        switch command {
        case .setRate(let rate): self.rate = rate
        case .setVolume(let volume): self.volume = volume
        case .setPicture(let isShown): isPictureShown = isShown
        case .setMuted(let isMuted): self.isMuted = isMuted
        case .setRole(let role): self.role = role
        default: break
        }
    }
}
#endif
