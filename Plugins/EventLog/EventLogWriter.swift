import Foundation
import Synchronization

/// Writes lines on its own queue, so that a slow disk or a full pipe does not block the main actor.
final class EventLogWriter: Sendable {
    private let descriptor: Int32
    /// The name of the file, for errors.
    private let name: String
    private let closesDescriptor: Bool
    private let queue = DispatchQueue(label: "swift-flowplayer.event-log")
    private let failure = Mutex<EventLogError?>(nil)

    init(descriptor: Int32, name: String, closesDescriptor: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.closesDescriptor = closesDescriptor
    }

    deinit {
        guard closesDescriptor else { return }
        queue.async { [descriptor] in close(descriptor) }
    }

    var error: EventLogError? { failure.withLock { $0 } }

    func write(_ line: Data) {
        queue.async { [self] in
            let reason = withoutPipeSignal { line.withUnsafeBytes { Self.write($0, to: descriptor) } }
            guard let reason else { return }
            failure.withLock { $0 = .cannotWrite(path: name, reason: reason) }
        }
    }

    /// - Returns: `false` if the time expired first.
    func flush(within bound: Duration) -> Bool {
        let group = DispatchGroup()
        queue.async(group: group) {}
        return group.wait(timeout: .now() + bound / .seconds(1)) == .success
    }

    /// - Returns: the system's message if the write failed, else `nil`.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.withUnsafeBytes { $0.baseAddress }, rest.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                Foundation.poll(&poll, 1, -1)
            } else if errno != EINTR {
                return String(cString: strerror(errno))
            }
        }
        return nil
    }
}

/// Blocks and discards the SIGPIPE of a write to a pipe without a reader. A log must not end its host.
private func withoutPipeSignal<Result>(_ body: () -> Result) -> Result {
    var (pipeSignal, pending, before) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    sigpending(&pending)
    pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
    let result = body()
    if sigismember(&pending, SIGPIPE) == 0 {
        var now = timespec()
        while sigtimedwait(&pipeSignal, nil, &now) == -1, errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return result
}
