/// Bytes that have come ahead of being read, and those read last: a window that moves along what is longer than it.
package struct ReadAheadBuffer: ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer
    /// In bytes: so much of what was read is kept for going back.
    private let kept: Int
    /// Where the window begins and ends.
    package private(set) var start: UInt64 = 0
    package private(set) var end: UInt64 = 0
    /// Of the byte that is read next; in the window, or at its end.
    package private(set) var position: UInt64 = 0

    /// - Parameters:
    ///   - capacity: in bytes. The system gives memory only for what has come.
    ///   - kept: in bytes; less than the capacity.
    package init(capacity: Int, kept: Int) {
        memory = .allocate(byteCount: capacity, alignment: 16)
        self.kept = kept
    }

    deinit { memory.deallocate() }

    package var capacity: Int { memory.count }

    /// In bytes: how much is there to be read.
    package var available: Int { Int(end - position) }

    /// In bytes: how much may come.
    package var room: Int { max(0, capacity - kept - available) }

    /// Takes as much as there is room for, or all if the window is to be the whole of it.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
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

    /// Hands out as much as is there and fits.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = copy(from: position, into: buffer)
        position += UInt64(count)
        return count
    }

    /// What has come first, as far as it is still there.
    package func copy(from offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
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

    /// Whether the next byte can be the one at the offset without anything else coming first.
    package mutating func move(to offset: UInt64) -> Bool {
        guard (start...end).contains(offset) else { return false }
        position = offset
        return true
    }

    /// Begins anew at another place.
    package mutating func restart(at offset: UInt64) { (start, end, position) = (offset, offset, offset) }
}
