/// A window on a long sequence of bytes: those that arrived and were not read yet, and those that were read last.
struct ReadAheadBuffer: ~Copyable, Sendable {
    // The buffer is not copyable, so it is the only owner.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer
    /// The number of bytes that are kept after they were read.
    private let kept: Int
    /// The first position in the window, and the position after the last one.
    private(set) var start: UInt64 = 0
    private(set) var end: UInt64 = 0
    /// The position of the next byte to read, in `start...end`.
    private(set) var position: UInt64 = 0

    /// - Parameters:
    ///   - capacity: the size of the window, in bytes. The system provides memory only for bytes that arrived.
    ///   - kept: the number of bytes that are kept after they were read. It is less than the capacity.
    init(capacity: Int, kept: Int) {
        memory = .allocate(byteCount: capacity, alignment: 16)
        self.kept = kept
    }

    deinit { memory.deallocate() }

    var capacity: Int { memory.count }

    /// The number of bytes that can be read.
    var available: Int { Int(end - position) }

    /// The number of bytes that can be appended.
    var room: Int { max(0, capacity - kept - available) }

    /// Appends bytes. If there is not enough room, bytes at the start are dropped.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes.suffix(capacity)
        end += UInt64(bytes.count - rest.count)
        while !rest.isEmpty {
            let place = Int(end % UInt64(capacity))
            let count = min(rest.count, capacity - place)
            memory[place..<place + count].copyBytes(from: rest.prefix(count))
            end += UInt64(count)
            rest = rest.dropFirst(count)
        }
        if end - start > UInt64(capacity) { start = end - UInt64(capacity) }
        position = max(position, start)
    }

    /// Reads as many bytes as are available and fit.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = copy(from: position, into: buffer)
        position += UInt64(count)
        return count
    }

    /// Copies bytes from any position in the window. The next position to read stays.
    func copy(from offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard (start...end).contains(offset) else { return 0 }
        var (offset, done) = (offset, 0)
        while done < buffer.count, offset < end {
            let place = Int(offset % UInt64(capacity))
            let count = min(buffer.count - done, capacity - place, Int(end - offset))
            buffer[done..<done + count].copyBytes(from: memory[place..<place + count])
            offset += UInt64(count)
            done += count
        }
        return done
    }

    /// Sets the next position to read, if it is in the window.
    mutating func move(to offset: UInt64) -> Bool {
        guard (start...end).contains(offset) else { return false }
        position = offset
        return true
    }

    /// Drops all bytes and starts at another position.
    mutating func restart(at offset: UInt64) { (start, end, position) = (offset, offset, offset) }
}
