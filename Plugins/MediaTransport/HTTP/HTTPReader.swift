import Foundation
import NetworkThread
import Playback
import Synchronization

/// Reads a file over HTTP, or a local file, and reads ahead.
///
/// `HTTPReader+Loading` fills the buffer on the HTTP client's thread. An engine empties it, with blocking calls or with `next`.
///
/// | phase | meaning | left by |
/// |---|---|---|
/// | `loading` | requests are made or retried | the last byte, an error that is not retried, `seek` |
/// | `ended` | the buffer ends where the file or the range ends | `seek` |
/// | `failed` | loading has ended with an error | `seek` |
///
/// `cancel` ends the loading in every phase. The phase then stays.
final class HTTPReader: MediaReader {
    /// The size of the buffer, and the part of it for bytes that were read already. In bytes.
    static let (capacity, kept) = (8 << 20, 1 << 20)
    /// Bytes at this distance from the position arrive before the buffer is full.
    private static let ahead = UInt64(capacity - kept - roomToRequest)
    /// The longest distance that is read and dropped rather than requested, in bytes.
    private static let nearby = 512 << 10

    enum Phase {
        case loading(Load)
        case ended
        case failed(PlaybackError)
    }

    struct State: ~Copyable, Sendable {
        var phase = Phase.ended
        var isCancelled = false
        /// Runs the load.
        var task: Task<Void, Never>?
        var buffer = ReadAheadBuffer(capacity: HTTPReader.capacity, kept: HTTPReader.kept)
        /// The head of the first response.
        var head: HTTPHead?
        /// `true` after a seek to the end of the file. The buffer keeps its position, because demuxers look at the end and return.
        var isAtEnd = false
        /// The position of a seek beyond the buffer, in a file that can only be read in order. The next read goes there, unless
        /// another seek comes first.
        var target: UInt64?
        /// The number of bytes to skip, because the server sends more than was requested.
        var surplus: UInt64 = 0
        /// `true` while the buffer has no room for the bytes that arrived.
        var isPaused = false
        /// `true` after a retry for which the server sent another version of the file.
        var hasChanged = false
        /// `true` if the file is stored before an engine reads it.
        var isStored = false
        var lastProgress = ContinuousClock.now
        /// The error since the last progress, and the number of retries.
        var outage: (error: PlaybackError, attempts: Int)?
        /// Called and removed at the next change.
        var waiters: [@Sendable () -> Void] = []
        /// Those to call when the lock is free.
        var notified: [@Sendable () -> Void] = []
    }

    let url: URL
    let range: ByteRange?
    /// `true` if errors before the first response are retried too.
    let retriesOpening: Bool
    let options: HTTPRequestOptions
    /// The head of another reader of the same file.
    private let knownHead: HTTPHead?
    let state: Mutex<State>

    /// Starts to load.
    ///
    /// - Parameter range: the bytes to load; `nil` for all.
    init(
        _ url: URL, range: ByteRange? = nil, by options: HTTPRequestOptions, retriesOpening: Bool = false,
        knownHead: HTTPHead? = nil
    ) {
        self.url = url
        self.range = range
        self.options = options
        self.retriesOpening = retriesOpening
        self.knownHead = knownHead
        state = Mutex(State())
        state.withLock { startLoading(&$0, at: range?.first ?? 0) }
    }

    // MARK: State

    /// Changes the state, and then calls the waiters that were notified.
    ///
    /// Not under the lock: a waiter resumes a task, for which Swift needs the lock of that task. Swift holds it while the task is cancelled,
    /// which calls `cancel`.
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, notified) = state.withLock { state in
            let result = body(&state)
            defer { state.notified = [] }
            return (result, state.notified)
        }
        for waiter in notified { waiter() }
        return result
    }

    /// The reason why no more bytes arrive.
    var error: PlaybackError? { state.withLock { $0.error } }

    /// The reason why no bytes arrive at the moment, also if a retry follows.
    var currentError: PlaybackError? {
        state.withLock { state in
            state.error ?? state.outage.map { $0.error.retried($0.attempts, in: .now - state.lastProgress) }
        }
    }

    /// The time since the last byte, while the file is being stored.
    var silence: Duration? { state.withLock { $0.isStored && !$0.isIdle ? .now - $0.lastProgress : nil } }

    /// The time since the last byte, while more are expected and none are left to read.
    var waitingTime: Duration? {
        state.withLock { $0.isIdle || $0.buffer.available > 0 ? nil : .now - $0.lastProgress }
    }

    /// The head of the first response.
    var head: HTTPHead? { state.withLock { $0.head } }

    /// `true` if each position can be read: the server sends ranges, or the buffer holds the whole file.
    var isSeekable: Bool { state.withLock { $0.isSeekable } }

    /// `true` if all bytes have arrived, and the reader was not cancelled. `next` returns none of them afterwards.
    var hasEnded: Bool { state.withLock { $0.hasEnded && !$0.isCancelled } }

    /// `true` if the file could not be continued, because the server has another version of it now.
    var hasChanged: Bool { state.withLock { $0.hasChanged } }

    /// `true` if the buffer holds the whole file.
    var isWhole: Bool { state.withLock { $0.hasEnded && $0.buffer.start == 0 } }

    /// The position of the next byte to read.
    var position: UInt64 { state.withLock { $0.buffer.position } }

    /// Estimates the part of the item that is in the buffer, in seconds. The bytes are taken to be spread evenly over
    /// the time, before and after the position.
    func bufferedRange(around position: Double, of duration: Double) -> ClosedRange<Double>? {
        state.withLock { state in
            guard let size = state.head?.size, position <= duration else { return nil }
            let (start, next, end) = (state.buffer.start, state.buffer.position, state.buffer.end)
            let behind = next > 0 ? Double(next - start) / Double(next) : 1
            let ahead = end < size ? Double(end - next) / Double(size - next) : 1
            return position * (1 - behind)...max(position, duration - (duration - position) * (1 - ahead))
        }
    }

    /// The first bytes.
    func beginning(_ count: Int) -> [UInt8] { state.withLock { $0.beginning(count) } }

    // MARK: Waiting

    /// Waits until the kind of the file is known, or loading has ended. A playlist must be complete.
    func opened() async {
        _ = await wait { $0.isOpened ? true : nil }
    }

    /// Returns the next bytes; `nil` at the end and after an error.
    func next(_ count: Int) async -> [UInt8]? {
        let bytes: [UInt8] = await wait { state in
            guard state.buffer.available > 0, !state.isCancelled else { return state.isIdle ? [] : nil }
            let bytes = [UInt8](unsafeUninitializedCapacity: min(count, state.buffer.available)) { target, count in
                count = state.buffer.read(into: UnsafeMutableRawBufferPointer(target))
            }
            resumeIfRoom(&state)
            return bytes
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Returns all bytes; `nil` if there are more than the limit, or after an error.
    func whole(upTo limit: Int) async -> [UInt8]? {
        var bytes: [UInt8] = []
        while let chunk = await next(64 << 10) {
            bytes += chunk
            guard bytes.count <= limit else { return nil }
        }
        return hasEnded ? bytes : nil
    }

    /// Like `whole(upTo:)`, and cancels the reader at the end, after the timeout, or if the task is cancelled.
    ///
    /// - Parameter timeout: `nil` for those of the policy only.
    func whole(upTo limit: Int, within timeout: Duration?) async -> [UInt8]? {
        let timer = timeout.map { timeout in
            Task(executorPreference: NetworkThread.transport) {
                try await Task.sleep(for: timeout)
                self.cancel()
            }
        }
        defer {
            timer?.cancel()
            cancel()
        }
        return await withTaskCancellationHandler {
            await whole(upTo: limit)
        } onCancel: {
            cancel()
        }
    }

    /// Calls `value` until it returns a value, again after each change.
    func wait<Value: Sendable>(for value: (inout State) -> Value?) async -> Value {
        while true {
            var found: Value?
            await withCheckedContinuation { continuation in
                found = check(value, orElse: { continuation.resume() })
                if found != nil { continuation.resume() }
            }
            if let found { return found }
        }
    }

    /// Like `wait`, but blocks the calling thread.
    private func block<Value: Sendable>(for value: (inout State) -> Value?) -> Value {
        while true {
            let semaphore = DispatchSemaphore(value: 0)
            if let found = check(value, orElse: { semaphore.signal() }) { return found }
            semaphore.wait()
        }
    }

    private func check<Value: Sendable>(
        _ value: (inout State) -> Value?, orElse waiter: @escaping @Sendable () -> Void
    ) -> Value? {
        change { state in
            let found = value(&state)
            if found == nil { state.waiters.append(waiter) }
            return found
        }
    }

    // MARK: Blocking calls of an engine

    var size: UInt64? {
        if let knownHead { return knownHead.size }
        return block { state in state.head != nil || state.isIdle ? .some(state.head?.size) : nil }
    }

    func read(into target: UnsafeMutableRawBufferPointer) -> Int? {
        block { state in
            if state.isCancelled { return .some(nil) }
            if state.isAtEnd { return 0 }
            let hasArrived = state.target.map { reach($0, &state) } ?? true
            if hasArrived, state.buffer.available > 0 {
                let count = state.buffer.read(into: target)
                resumeIfRoom(&state)
                return count
            }
            return state.isIdle ? (state.hasEnded ? 0 : .some(nil)) : nil
        }
    }

    func seek(to offset: UInt64) -> Bool {
        block { state in
            if state.isCancelled { return false }
            state.target = nil
            state.isAtEnd = offset >= state.head?.size ?? .max
            if state.isAtEnd { return true }
            if state.buffer.move(to: offset) {
                resumeIfRoom(&state)
                return true
            }
            guard let head = state.head else { return state.isIdle ? false : nil }
            guard state.isSeekable else { return seekInOrder(&state, to: offset) }
            let distance = offset > state.buffer.end ? offset - state.buffer.end : .max
            if !head.isPart || distance <= UInt64(Self.nearby) {
                if state.isIdle { return false }
                // The bytes before the offset are dropped.
                _ = state.buffer.move(to: state.buffer.end)
                resumeIfRoom(&state)
                return nil
            }
            startLoading(&state, at: offset)
            state.notify()
            return true
        }
    }

    /// Moves forward in a file that can only be read in order. The buffer moves with the next read, because demuxers look at the
    /// end of a file, and return.
    private func seekInOrder(_ state: inout State, to offset: UInt64) -> Bool {
        guard offset > state.buffer.end else { return false }
        let isFar = offset - state.buffer.position > Self.ahead
        guard isFar else {
            state.target = offset
            return true
        }
        // A demuxer that knows no size looks for the end of a stream that may have none.
        guard let size = state.head?.size else { return false }
        if size - offset <= UInt64(Self.kept) { state.isAtEnd = true } else { state.target = offset }
        return true
    }

    /// Moves the buffer towards the target of a seek. Returns `false` if the target has not arrived.
    private func reach(_ target: UInt64, _ state: inout State) -> Bool {
        let hasArrived = state.buffer.move(to: target)
        if hasArrived {
            state.target = nil
        } else if target > state.buffer.position + Self.ahead {
            _ = state.buffer.move(to: min(state.buffer.end, target - Self.ahead))
        }
        resumeIfRoom(&state)
        return hasArrived
    }

    /// Ends all waiting, now and later.
    func cancel() {
        change { state in
            state.isCancelled = true
            state.task?.cancel()
            state.notify()
        }
    }
}

extension HTTPReader.State {
    var load: HTTPReader.Load? { if case .loading(let load) = phase { load } else { nil } }

    var error: PlaybackError? { if case .failed(let error) = phase { error } else { nil } }

    var hasEnded: Bool { if case .ended = phase { true } else { false } }

    /// `true` if no more bytes will arrive.
    var isIdle: Bool { isCancelled || load == nil }

    var isSeekable: Bool {
        guard let head, let size = head.size else { return false }
        return head.isPart || size <= UInt64(buffer.capacity - HTTPReader.kept)
    }

    var isOpened: Bool {
        if isIdle { return true }
        guard head != nil, buffer.end >= UInt64(HTTPHead.markLength) else { return false }
        return !mayBeText || buffer.end > UInt64(MediaProbe.playlistLimit)
    }

    /// `true` if the first bytes may be those of a playlist or of a manifest.
    var mayBeText: Bool {
        let beginning = beginning(HTTPHead.markLength)
        return HTTPHead.isPlaylist(beginning) || HTTPHead.isManifest(beginning) || HTTPHead.isBlank(beginning)
    }

    func beginning(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: min(count, Int(buffer.end))) { bytes, length in
            length = buffer.copy(from: 0, into: UnsafeMutableRawBufferPointer(bytes))
        }
    }

    /// Call it within `change`.
    mutating func notify() {
        notified += waiters
        waiters = []
    }
}
