import Synchronization

/// A queue of fixed capacity from one writing thread to one reading thread, without locks and allocations.
///
/// Both positions only grow. The elements between `head` and `tail` belong to the reader, the rest of the storage to
/// the writer. The writer hands elements over when it moves `tail`, and the reader returns them when it moves `head`.
// Unchecked: `head` and `tail` guard the storage. Only the writer moves `tail`, and only the reader moves `head`.
final class RingBuffer<Element: BitwiseCopyable>: @unchecked Sendable {
    private let capacity: Int
    private let storage: UnsafeMutablePointer<Element>
    private let head = Atomic(0)
    private let tail = Atomic(0)

    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit { storage.deallocate() }

    /// The number of elements that can be written now. The reader can only make it larger.
    var space: Int { capacity - (tail.load(ordering: .relaxed) - head.load(ordering: .acquiring)) }

    /// Writes all elements, or none if the space is too small.
    ///
    /// - Returns: `false` if nothing was written.
    func write(_ elements: UnsafeBufferPointer<Element>) -> Bool {
        guard elements.count <= space else { return false }
        let end = tail.load(ordering: .relaxed)
        if let source = elements.baseAddress {
            let start = end % capacity
            let first = min(elements.count, capacity - start)
            (storage + start).initialize(from: source, count: first)
            storage.initialize(from: source + first, count: elements.count - first)
        }
        tail.store(end + elements.count, ordering: .releasing)
        return true
    }

    /// Writes one element, unless there is no space.
    func write(_ element: Element) {
        guard space > 0 else { return }
        let end = tail.load(ordering: .relaxed)
        (storage + end % capacity).initialize(to: element)
        tail.store(end + 1, ordering: .releasing)
    }

    /// Reads at most `count` elements.
    func read(_ count: Int) -> [Element] {
        let begin = head.load(ordering: .relaxed)
        let count = min(count, tail.load(ordering: .acquiring) - begin)
        let start = begin % capacity
        let first = min(count, capacity - start)
        let elements = [Element](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            initializedCount = count
            guard let target = buffer.baseAddress else { return }
            target.initialize(from: storage + start, count: first)
            (target + first).initialize(from: storage, count: count - first)
        }
        head.store(begin + count, ordering: .releasing)
        return elements
    }
}

/// Carries an engine's audio and its commands from the engine's audio thread to the mixer, in order.
///
/// If the ring is full, `push` drops the block and counts its frames. The mixer empties the ring at each wakeup, so
/// only a mixer that gets no CPU for more than a second lets it fill up. Later blocks are played at their own times.
final class AudioRing: Sendable {
    enum Message: BitwiseCopyable {
        /// The number of samples, and the time at which the first one is due.
        case audio(samples: Int, time: Int64)
        case begin(rate: Int)
        case drain
        case flush
        case discard
    }

    /// In samples. It holds 5.4 s at 48 kHz and 1.3 s at 192 kHz. libVLC hands out about one second at once.
    private static let capacity = 1 << 19
    private static let messageCapacity = 4096
    /// The messages that are kept free for commands, so that a full ring loses audio only.
    private static let reserve = 1024

    private let samples = RingBuffer<Int16>(capacity: capacity)
    private let messages = RingBuffer<Message>(capacity: messageCapacity)
    private let dropped = Atomic(0)

    /// The number of frames that did not fit since the ring was created.
    var droppedFrames: Int { dropped.load(ordering: .relaxed) }

    // MARK: The engine's audio thread

    func push(_ block: UnsafeBufferPointer<Int16>, at time: Int64) {
        guard messages.space > Self.reserve, samples.write(block) else {
            dropped.wrappingAdd(block.count / AudioFormat.channels, ordering: .relaxed)
            return
        }
        send(.audio(samples: block.count, time: time))
    }

    func send(_ message: Message) { messages.write(message) }

    // MARK: The mixer

    func next() -> Message? { messages.read(1).first }

    func read(_ count: Int) -> [Int16] { samples.read(count) }
}
