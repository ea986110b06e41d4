import Foundation
import Synchronization

/// Writes lines off the main actor, so that a slow disk or a full pipe holds nobody.
final class EventLogWriter: Sendable {
    private let descriptor: Int32
    private let closesDescriptor: Bool
    private let queue = DispatchQueue(label: "swift-flowplayer.event-log")
    private let failure = Mutex<EventLogError?>(nil)

    init(descriptor: Int32, closesDescriptor: Bool) {
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
    }

    deinit {
        guard closesDescriptor else { return }
        queue.async { [descriptor] in close(descriptor) }
    }

    var error: EventLogError? { failure.withLock { $0 } }

    func write(_ line: Data) {
        queue.async { [self] in
            let reason = line.withUnsafeBytes { Self.write($0, to: descriptor) }
            guard let reason else { return }
            failure.withLock { $0 = .cannotWrite(path: "descriptor \(descriptor)", reason: reason) }
        }
    }

    func flush() { queue.sync {} }

    /// Why it failed; `nil` if it did not.
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
