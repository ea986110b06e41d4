#if VLC
import Foundation
import Playback

/// Reads a medium over HTTP, or a file like one, on a thread of its own and ahead of its reader. Takes up again what breaks off.
// Unchecked: what is shared with the thread is used under `condition` only.
package final class HTTPReader: MediaReader, HTTPTransfer.Receiver, @unchecked Sendable {
    /// In bytes: so much is read ahead, and of what was read so much is kept.
    private static let (capacity, kept) = (8 << 20, 1 << 20)
    /// In bytes: with less room nothing more is asked for.
    private static let worthwhileRoom = 256 << 10
    /// In bytes: what is no further ahead comes sooner by itself than by a request of its own.
    private static let nearby = 512 << 10
    private static let longestChain = 10
    /// In seconds: so long a server is given to answer, however little time is left.
    private static let shortestPatience = 0.5
    /// In bytes: enough to tell what it is.
    private static let markLength = 16

    private let url: URL
    private let range: ByteRange?
    /// Whether another attempt is made also where nothing has come yet.
    private let retriesOpening: Bool
    private let access: HTTPRequestOptions
    private let transfer: HTTPTransfer
    private let condition = NSCondition()
    private var buffer = ReadAheadBuffer(capacity: HTTPReader.capacity, kept: HTTPReader.kept)
    /// Where the thread is to begin, anew.
    private var wanted: UInt64?
    /// Who waits for `next`.
    private var waiter: CheckedContinuation<Void, Never>?
    private var head: HTTPHead?
    /// In bytes: what comes first though it was not asked for.
    private var surplus: UInt64 = 0
    private var isWaiting = false
    private var isEnded = false
    private var isCancelled = false
    private var lastProgress = ContinuousClock.now
    /// What broke off since something came last, and how often it has been taken up again.
    private var outage: (error: PlaybackError, attempts: Int)?
    private var failure: PlaybackError?
    private var opened: (@Sendable (HTTPReader) -> Void)?

    /// - Parameters:
    ///   - range: what is wanted of it; `nil` for everything.
    ///   - opened: called once on the reader's thread, as soon as it is known what there is or that nothing will come.
    package init(
        _ url: URL, range: ByteRange? = nil, by access: HTTPRequestOptions, retriesOpening: Bool = false,
        opened: (@Sendable (HTTPReader) -> Void)? = nil
    ) {
        self.url = url
        self.range = range
        self.retriesOpening = retriesOpening
        wanted = range?.first ?? 0
        buffer.restart(at: range?.first ?? 0)
        self.access = access
        transfer = HTTPTransfer(access.cookies)
        self.opened = opened
        let thread = Thread { self.run() }
        thread.name = "flowplayer-http"
        thread.start()
    }

    // MARK: The reader's side

    /// Waits until the server has answered.
    package var size: UInt64? {
        condition.withLock {
            while head == nil, !isEnded, failure == nil, !isCancelled { condition.wait() }
            return head?.size
        }
    }

    /// Why nothing more will come.
    package var error: PlaybackError? { condition.withLock { failure } }

    /// Why nothing comes: what nothing could be done about, or what is being taken up again.
    package var trouble: PlaybackError? {
        condition.withLock { failure ?? outage.map { tried($0.error, $0.attempts, .now - lastProgress) } }
    }

    private func tried(_ error: PlaybackError, _ attempts: Int, _ time: Duration) -> PlaybackError {
        attempts == 0 ? error : error.after(.retried(times: attempts, seconds: time / .seconds(1)))
    }

    /// What the server said first.
    package var facts: HTTPHead? { condition.withLock { head } }

    /// Whether every place can be read: the server sends parts, or everything stays here.
    package var isSeekable: Bool { condition.withLock { canSeek } }

    private var canSeek: Bool {
        guard let head, let size = head.size else { return false }
        return head.isPart || size <= UInt64(Self.capacity - Self.kept)
    }

    /// What has come first, at most so much.
    package func beginning(_ count: Int) -> [UInt8] {
        condition.withLock {
            [UInt8](unsafeUninitializedCapacity: min(count, Int(buffer.end))) { bytes, length in
                length = buffer.copy(from: 0, into: UnsafeMutableRawBufferPointer(bytes))
            }
        }
    }

    /// Whether nothing more will come because everything has.
    package var hasEnded: Bool { condition.withLock { isEnded } }

    /// Whether everything is here that there is.
    package var isWhole: Bool { condition.withLock { isEnded && buffer.start == 0 } }

    package func read(into target: UnsafeMutableRawBufferPointer) -> Int? {
        let (count, wakes): (Int?, Bool) = condition.withLock {
            while buffer.available == 0, !isEnded, failure == nil, !isCancelled { condition.wait() }
            guard !isCancelled, buffer.available > 0 else { return (isEnded ? 0 : nil, false) }
            let count = buffer.read(into: target)
            return (count, isWaiting && buffer.room >= Self.worthwhileRoom)
        }
        if wakes { transfer.wake() }
        return count
    }

    /// What comes next, at most so many bytes; `nil` at the end, or where reading fails. Not beside `read`.
    package func next(_ count: Int) async -> [UInt8]? {
        while true {
            if let bytes = nextNow(count) { return bytes.isEmpty ? nil : bytes }
            await withCheckedContinuation { continuation in
                condition.withLock {
                    guard buffer.available == 0, !isEnded, failure == nil, !isCancelled else {
                        return continuation.resume()
                    }
                    waiter = continuation
                }
            }
        }
    }

    /// `nil` as long as there is nothing; empty if nothing will come.
    private func nextNow(_ count: Int) -> [UInt8]? {
        let isReady = condition.withLock { buffer.available > 0 || isEnded || failure != nil || isCancelled }
        guard isReady else { return nil }
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, length in
            length = read(into: UnsafeMutableRawBufferPointer(bytes)) ?? 0
        }
    }

    /// Lets those go on who wait. To be called under `condition`.
    private func broadcast() {
        condition.broadcast()
        waiter?.resume()
        waiter = nil
    }

    package func seek(to offset: UInt64) -> Bool {
        let (succeeds, wakes): (Bool, Bool) = condition.withLock {
            guard !isCancelled else { return (false, false) }
            if buffer.move(to: offset) { return (true, isWaiting) }
            guard canSeek, let head else { return (false, false) }
            let isNear = offset > buffer.end && offset - buffer.end <= UInt64(Self.nearby)
            if !head.isPart || isNear, wanted == nil { return (awaitArrival(of: offset), false) }
            buffer.restart(at: offset)
            isEnded = offset >= head.size ?? .max
            (failure, outage) = (nil, nil)
            wanted = isEnded ? nil : offset
            broadcast()
            return (true, true)
        }
        if wakes { transfer.wake() }
        return succeeds
    }

    /// Waits for what is on its way. To be called under `condition`.
    private func awaitArrival(of offset: UInt64) -> Bool {
        while buffer.end < offset, !isEnded, failure == nil, !isCancelled {
            // What lies between is not wanted.
            _ = buffer.move(to: buffer.end)
            if isWaiting { transfer.wake() }
            condition.wait()
        }
        return buffer.move(to: offset)
    }

    /// Nothing more is wanted: whoever reads is let go.
    package func cancel() {
        condition.withLock {
            isCancelled = true
            broadcast()
        }
        transfer.wake()
    }

    // MARK: The thread

    private func run() {
        while let start = nextStart() {
            let error = fetch(from: start)
            condition.withLock {
                // A seek that came meanwhile is about another place.
                if wanted == nil, !isCancelled { (failure, isEnded) = (error, isEnded || error == nil) }
                if isEnded { outage = nil }
                broadcast()
            }
            tellOpened()
        }
        tellOpened()
    }

    private func nextStart() -> UInt64? {
        condition.withLock {
            while wanted == nil, !isCancelled { condition.wait() }
            guard !isCancelled else { return nil }
            defer { wanted = nil }
            (lastProgress, outage) = (.now, nil)
            return wanted
        }
    }

    /// Gets everything from the offset to the end, unless something else is wanted. Says why it cannot.
    private func fetch(from start: UInt64) -> PlaybackError? {
        var (address, offset, redirects) = (url, start, 0)
        var patience = facts == nil ? access.retry.openTimeout : access.retry.readTimeout
        while true {
            let wanted = ByteRange(first: offset, last: range?.last)
            let outcome = transfer.run(address, wanted, patience: patience, self)
            let error: PlaybackError
            switch outcome {
            case .stopped: return condition.withLock { failure }
            case .redirected(let target):
                redirects += 1
                guard redirects <= Self.longestChain else { return PlaybackError(.tooManyRedirects, url: url) }
                if let error = access.security.error(for: target, from: address) { return error }
                guard target.isHTTP else { return PlaybackError(.addressForbidden, url: url) }
                address = target
                continue
            case .complete where isComplete: return nil
            case .complete: error = PlaybackError(.connectionLost, url: url)
            // There is nothing behind what has come: the server was wrong about the size.
            case .failed(let failure) where failure.httpStatus == 416 && offset > start: return nil
            case .failed(let failure): error = failure
            }
            guard retriesOpening || facts != nil else { return error }
            let (attempts, silence): (Int, Duration) = condition.withLock {
                let attempts = outage?.attempts ?? 0
                outage = (error, attempts)
                return (attempts, .now - lastProgress)
            }
            let elapsed = silence / .seconds(1)
            guard let delay = access.retry.delay(before: attempts, after: error, elapsed: elapsed), wait(delay)
            else { return tried(error, attempts, silence) }
            condition.withLock { outage?.attempts += 1 }
            patience = min(
                access.retry.readTimeout, max(Self.shortestPatience, access.retry.giveUpAfter - elapsed - delay))
            // Where a redirect led may be valid no more.
            (address, redirects) = (url, 0)
            offset = condition.withLock { buffer.end }
        }
    }

    private var isComplete: Bool {
        condition.withLock {
            guard let end = range?.last.map({ $0 + 1 }) ?? head?.size else { return true }
            return buffer.end >= min(end, head?.size ?? end)
        }
    }

    /// Whether the time has passed, and nothing else was wanted meanwhile.
    private func wait(_ seconds: Double) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        return condition.withLock {
            while wanted == nil, !isCancelled, condition.wait(until: deadline) {}
            return wanted == nil && !isCancelled
        }
    }

    private func tellOpened() {
        let opened: (@Sendable (HTTPReader) -> Void)? = condition.withLock {
            defer { self.opened = nil }
            return self.opened
        }
        opened?(self)
    }

    // MARK: What comes

    package var verdict: HTTPTransfer.Verdict {
        condition.withLock {
            guard !isCancelled, wanted == nil else { return .stop }
            guard isWaiting else { return .go }
            guard buffer.room >= Self.worthwhileRoom else { return .wait }
            // That nothing came was our own doing.
            (isWaiting, lastProgress) = (false, .now)
            return .go
        }
    }

    package func begin(_ head: HTTPHead) -> HTTPTransfer.Verdict {
        condition.withLock {
            guard let known = self.head else {
                // A server that does not send parts sends what comes first too.
                surplus = head.isPart ? 0 : buffer.end
                guard !head.isPart || head.start == buffer.end else { return refuse() }
                self.head = head
                broadcast()
                return .go
            }
            guard head.isPart else {
                // A stream without an end is joined again; of any other, what is known already comes once more.
                surplus = known.size == nil ? 0 : buffer.end
                return known.size == head.size ? .go : refuse()
            }
            let isTheSame = head.start == buffer.end && head.size == known.size && head.version == known.version
            return isTheSame ? .go : refuse()
        }
    }

    private func refuse() -> HTTPTransfer.Verdict {
        failure = PlaybackError(
            .invalidResponse, url: url, detail: "The server sent a different part of the file than requested.")
        return .stop
    }

    package func take(_ bytes: UnsafeRawBufferPointer) -> HTTPTransfer.Verdict {
        let (verdict, isKnown): (HTTPTransfer.Verdict, Bool) = condition.withLock {
            guard !isCancelled, wanted == nil else { return (.stop, false) }
            let skipped = min(surplus, UInt64(bytes.count))
            guard bytes.count - Int(skipped) <= buffer.room else {
                isWaiting = true
                return (.wait, false)
            }
            surplus -= skipped
            let news = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Int(skipped)))
            if !news.isEmpty {
                buffer.append(news)
                (lastProgress, outage) = (.now, nil)
                broadcast()
            }
            return (.go, opened != nil && isRecognisable)
        }
        if isKnown { tellOpened() }
        return verdict
    }

    /// Whether it is known what this is: a playlist has to be there as a whole.
    private var isRecognisable: Bool {
        guard head != nil, buffer.end >= UInt64(Self.markLength) else { return false }
        let mark = [UInt8](unsafeUninitializedCapacity: Self.markLength) { bytes, count in
            count = buffer.copy(from: 0, into: UnsafeMutableRawBufferPointer(bytes))
        }
        return !HTTPHead.isPlaylist(mark) || buffer.end > UInt64(MediaProbe.playlistLimit)
    }
}
#endif
