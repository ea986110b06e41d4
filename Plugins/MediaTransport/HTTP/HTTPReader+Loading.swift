import Foundation
import NetworkThread
import Playback

// Requests, redirects and retries.
extension HTTPReader {
    /// The shortest timeout of a retry, in seconds.
    private static let shortestTimeout = 0.5
    /// The free space at which a paused transfer continues, in bytes.
    private static let roomToContinue = 256 << 10
    /// The free space at which the rest of an ended HTTP/2 transfer is requested, in bytes.
    static let roomToRequest = capacity / 2
    /// A connection has worked if it has delivered this number of bytes, or bytes within this time.
    private static let (workingSize, workingTime) = (UInt64(64 << 10), Duration.seconds(1))

    /// The requests from one position to the end.
    ///
    /// `seek` replaces the load. Bytes of an earlier load are dropped.
    final class Load: Sendable {
        /// The reader's task waits for the transfer, so the reader exists as long as there is one.
        private unowned let reader: HTTPReader

        init(_ reader: HTTPReader) { self.reader = reader }

        /// Called once, before the bytes.
        func begin(_ head: HTTPHead) -> HTTPTransfer.Verdict { reader.begin(head, self) }

        /// - Returns: `pause` if the bytes shall be sent again after `HTTPClient.resume`.
        func take(_ bytes: UnsafeRawBufferPointer) -> HTTPTransfer.Verdict { reader.take(bytes, self) }
    }

    /// Replaces the load by one from another position.
    func startLoading(_ state: inout State, at offset: UInt64) {
        let load = Load(self)
        state.task?.cancel()
        state.buffer.restart(at: offset)
        (state.phase, state.isPaused, state.outage, state.lastProgress) = (.loading(load), false, nil, .now)
        state.task = Task(executorPreference: NetworkThread.transport) {
            let error =
                HTTPClient.isAvailable
                ? await self.load(load, from: offset, on: .shared)
                : PlaybackError(
                    .backendUnavailable, url: self.url, detail: "The library libcurl.so.4 is not installed.")
            self.change { state in
                guard state.load === load, !state.isCancelled else { return }
                state.phase = error.map { .failed($0) } ?? .ended
                state.task = nil
                if error == nil { state.outage = nil }
                state.notify()
            }
        }
    }

    /// - Returns: the error that ended the load. Its value does not count if another load has replaced this one.
    private func load(_ load: Load, from start: UInt64, on client: isolated HTTPClient) async -> PlaybackError? {
        let retry = options.retry
        var (address, offset, redirects) = (url, start, 0)
        var (attempts, lastSuccess) = (0, ContinuousClock.now)
        var timeout = head == nil ? retry.openTimeout : retry.readTimeout
        var decompresses = head?.isCompressed == true
        while true {
            // A station has no ranges.
            let first = head?.isStation == true ? 0 : offset
            let request = HTTPTransfer.Request(
                url: address, range: ByteRange(first: first, last: range?.last), options: options, timeout: timeout,
                decompresses: decompresses)
            let requestTime = ContinuousClock.now
            let error: PlaybackError
            switch await client.run(request, for: load) {
            case .stopped(let error): return error
            case .redirected(let target):
                redirects += 1
                guard redirects <= options.redirectLimit else { return PlaybackError(.tooManyRedirects, url: url) }
                if let error = options.security.error(for: target, from: address) { return error }
                guard target.isHTTP, !options.staysAtOrigin || target.hasOrigin(of: url) else {
                    return PlaybackError(.addressForbidden, url: url)
                }
                address = target
                continue
            case .compressed:
                decompresses = true
                continue
            case .paused:
                let end: UInt64? = await wait { state in
                    guard state.load === load, !state.isCancelled else { return .some(nil) }
                    guard state.buffer.room >= Self.roomToRequest else { return nil }
                    (state.isPaused, state.lastProgress) = (false, .now)
                    return state.buffer.end
                }
                guard let end else { return nil }
                (offset, attempts) = (end, 0)
                continue
            case .complete where isComplete: return nil
            case .complete: error = PlaybackError(.connectionLost, url: url)
            // The server has no more bytes: the size that it reported was wrong.
            case .failed(let failure) where failure.httpStatus == 416 && offset > start: return nil
            case .failed(let failure): error = failure
            }
            guard retriesOpening || head != nil else { return error }
            state.withLock { state in
                let isLong = state.buffer.end > offset && .now - requestTime >= Self.workingTime
                if isLong || state.buffer.end >= offset + Self.workingSize { attempts = 0 }
                if attempts == 0 { lastSuccess = state.lastProgress }
                state.outage = (error, attempts)
            }
            let outage = .now - lastSuccess
            let elapsed = outage / .seconds(1)
            // Icecast answers with 404 while a station has no source.
            let policy = head?.isStation == true && error.httpStatus == 404 ? retry.covering(error) : retry
            guard let delay = policy.delay(before: attempts, after: error, elapsed: elapsed) else {
                return error.retried(attempts, in: outage)
            }
            guard (try? await Task.sleep(for: .seconds(delay))) != nil else { return error }
            options.meter.retried()
            attempts += 1
            offset = state.withLock { state in
                state.outage?.attempts = attempts
                return state.buffer.end
            }
            timeout = min(retry.readTimeout, max(Self.shortestTimeout, retry.giveUpAfter - elapsed - delay))
            // The target of a redirect may have expired.
            (address, redirects) = (url, 0)
        }
    }

    private var isComplete: Bool {
        state.withLock { state in
            guard let end = range?.last.map({ $0 + 1 }) ?? state.head?.size else {
                return state.head?.isStation != true || state.mayBeText
            }
            return state.buffer.end >= min(end, state.head?.size ?? end)
        }
    }

    /// Continues a paused transfer if there is room for its bytes.
    func resumeIfRoom(_ state: inout State) {
        guard state.isPaused, let load = state.load, state.buffer.room >= Self.roomToContinue else { return }
        // The silence was our own doing.
        (state.isPaused, state.lastProgress) = (false, .now)
        Task(executorPreference: NetworkThread.transport) { await HTTPClient.shared.resume(load) }
    }

    // MARK: Response

    private func begin(_ head: HTTPHead, _ load: Load) -> HTTPTransfer.Verdict {
        change { state in
            guard state.load === load, !state.isCancelled else { return .stop(nil) }
            let refusal = PlaybackError(
                .invalidResponse, url: url, detail: "The server sent a different part of the file than requested.")
            let known = state.head
            state.head = known ?? head
            defer { state.notify() }
            if head.isPart {
                state.hasChanged = known.map { head.size != $0.size || head.version != $0.version } ?? false
                state.surplus = 0
                return head.start == state.buffer.end && !state.hasChanged ? .go : .stop(refusal)
            }
            // A server without ranges sends the file from its start. A stream without an end continues.
            let continues = range == nil && known?.mayBeEndless == true && !state.isStored
            state.surplus = continues ? 0 : state.buffer.end
            state.hasChanged = known.map(head.differs) ?? false
            return state.hasChanged ? .stop(refusal) : .go
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ load: Load) -> HTTPTransfer.Verdict {
        change { state in
            guard state.load === load, !state.isCancelled else { return .stop(nil) }
            let skipped = Int(min(state.surplus, UInt64(bytes.count)))
            // A server without ranges also sends the bytes after the range.
            let missing = range?.last.map { Int(clamping: $0 + 1) - Int(clamping: state.buffer.end) } ?? .max
            let wanted = bytes[skipped...].prefix(max(missing, 0))
            guard wanted.count <= state.buffer.room else {
                state.isPaused = true
                return .pause
            }
            if url.isHTTP { options.meter.received(bytes.count, since: state.lastProgress) }
            state.surplus -= UInt64(skipped)
            guard bytes.count > skipped else { return .go }
            state.buffer.append(UnsafeRawBufferPointer(rebasing: wanted))
            (state.lastProgress, state.outage) = (.now, nil)
            state.notify()
            return skipped + wanted.count == bytes.count ? .go : .stop(nil)
        }
    }
}

extension PlaybackError {
    func retried(_ attempts: Int, in time: Duration) -> PlaybackError {
        attempts == 0 ? self : after(.retried(times: attempts, seconds: time / .seconds(1)))
    }
}
