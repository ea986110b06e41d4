import Synchronization

/// Moves the times in the segments of an MPEG transport stream (ISO/IEC 13818-1), or of audio alone (RFC 8216, section 3.4), while they
/// pass.
///
/// If the times begin again at a discontinuity, libVLC reports none for some seconds.
final class TransportStreamClock: SegmentClock {
    private struct State {
        var pending: [UInt8] = []
        /// The time to subtract, in ticks; `nil` before the first time.
        var shift: UInt64?
        /// `true` if the rest has no times, and passes as it is.
        var isOther = false
    }

    private static let packetSize = 188
    private static let start: UInt8 = 0x47
    /// The part of a segment in which its first time is expected, in bytes.
    private static let searched = 1 << 20
    /// The beginning and the end of the tag before audio, whose last eight bytes are its time.
    private static let (tag, owner) = (Array("ID3".utf8), Array("com.apple.streaming.transportStreamTimestamp\0".utf8))
    private static let tagLimit = 1 << 10
    private static let rate = 90_000.0
    /// Times have 33 bits.
    private static let mask = UInt64(1) << 33 - 1

    private let shift: @Sendable (Double) -> Double
    private let state = Mutex(State())

    /// - Parameter shift: returns the time to subtract, for the first time in the segment. In seconds.
    init(shift: @escaping @Sendable (_ time: Double) -> Double) { self.shift = shift }

    func pass(_ bytes: [UInt8]) -> [UInt8] {
        state.withLock { state in
            state.pending += bytes
            if !state.isOther, state.shift == nil { begin(&state) }
            var count = state.isOther ? state.pending.count : 0
            if let shift = state.shift {
                count = state.pending.count - state.pending.count % Self.packetSize
                for packet in stride(from: 0, to: count, by: Self.packetSize) {
                    Self.move(&state.pending, at: packet, by: shift)
                }
            }
            defer { state.pending.removeFirst(count) }
            return Array(state.pending.prefix(count))
        }
    }

    /// Looks for the first time.
    private func begin(_ state: inout State) {
        if let time = Self.first(in: state.pending) {
            state.shift = Self.ticks(shift(time))
        } else if state.pending.starts(with: Self.tag) {
            state.isOther = moveTag(&state.pending) || state.pending.count >= Self.tagLimit
        } else {
            let mayBegin = state.pending.first == Self.start || Self.tag.starts(with: state.pending)
            state.isOther = !mayBegin || state.pending.count >= Self.searched
        }
    }

    /// - Returns: `false` if the time has not arrived.
    private func moveTag(_ bytes: inout [UInt8]) -> Bool {
        guard let start = bytes.prefix(Self.tagLimit).firstRange(of: Self.owner)?.upperBound, bytes.count >= start + 8
        else { return false }
        let time = bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        let moved = (time &- Self.ticks(shift(Double(time & Self.mask) / Self.rate))) & Self.mask
        for byte in 0..<8 { bytes[start + byte] = UInt8(truncatingIfNeeded: moved >> (56 - 8 * UInt64(byte))) }
        return true
    }

    func finish() -> [UInt8] {
        state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
    }

    /// A playlist can name times that exceed any number of ticks.
    private static func ticks(_ seconds: Double) -> UInt64 {
        let ticks = (seconds * rate).rounded().truncatingRemainder(dividingBy: Double(mask + 1))
        return UInt64(bitPattern: Int64(exactly: ticks) ?? 0)
    }

    /// Returns the first clock reference of a transport stream, in seconds; `nil` without one.
    static func first(in bytes: [UInt8]) -> Double? {
        for packet in stride(from: 0, through: bytes.count - packetSize, by: packetSize) {
            guard bytes[packet] == start else { return nil }
            if let index = reference(in: bytes, at: packet) { return Double(ticks(in: bytes, at: index)) / rate }
        }
        return nil
    }

    /// Returns the place of the clock reference in a packet (2.4.3.5); `nil` without one.
    private static func reference(in bytes: [UInt8], at packet: Int) -> Int? {
        let (length, flags) = (bytes[packet + 4], bytes[packet + 5])
        let hasField = bytes[packet + 3] & 0x20 != 0 && (7..<184).contains(length)
        return hasField && flags & 0x10 != 0 ? packet + 6 : nil
    }

    /// Reads a clock reference, except for its fraction of a tick.
    private static func ticks(in bytes: [UInt8], at index: Int) -> UInt64 {
        bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt64($1) } << 1 | UInt64(bytes[index + 4] >> 7)
    }

    private static func move(_ bytes: inout [UInt8], at packet: Int, by shift: UInt64) {
        guard bytes[packet] == start else { return }
        if let index = reference(in: bytes, at: packet) { moveReference(&bytes, at: index, by: shift) }
        let end = packet + packetSize
        let payload = packet + 4 + (bytes[packet + 3] & 0x20 != 0 ? 1 + Int(bytes[packet + 4]) : 0)
        let beginsUnit = bytes[packet + 1] & 0x40 != 0 && bytes[packet + 3] & 0x10 != 0
        guard beginsUnit, payload + 14 <= end, bytes[payload..<payload + 3].elementsEqual([0, 0, 1]),
            hasTimes(stream: bytes[payload + 3])
        else { return }
        let flags = bytes[payload + 7] >> 6
        if flags & 2 != 0 { moveStamp(&bytes, at: payload + 9, by: shift) }
        if flags == 3, payload + 19 <= end { moveStamp(&bytes, at: payload + 14, by: shift) }
    }

    /// `true` for the ids of streams whose packets may have times: audio, video, and private ones (2.4.3.7).
    private static func hasTimes(stream id: UInt8) -> Bool { (0xC0...0xEF).contains(id) || id == 0xBD || id == 0xFD }

    private static func moveReference(_ bytes: inout [UInt8], at index: Int, by shift: UInt64) {
        let new = (ticks(in: bytes, at: index) &- shift) & mask
        for byte in 0..<4 { bytes[index + byte] = UInt8(truncatingIfNeeded: new >> (25 - 8 * UInt64(byte))) }
        bytes[index + 4] = bytes[index + 4] & 0x7F | UInt8(new & 1) << 7
    }

    /// Moves a presentation or decoding time (2.4.3.7). Its bits are between marks.
    private static func moveStamp(_ bytes: inout [UInt8], at index: Int, by shift: UInt64) {
        let parts = bytes[index..<index + 5].map(UInt64.init)
        let old = (parts[0] >> 1 & 7) << 30 | parts[1] << 22 | (parts[2] >> 1) << 15 | parts[3] << 7 | parts[4] >> 1
        let new = (old &- shift) & mask
        bytes[index] = UInt8(parts[0] & 0xF1 | (new >> 30) << 1)
        bytes[index + 1] = UInt8(new >> 22 & 0xFF)
        bytes[index + 2] = UInt8((new >> 15 & 0x7F) << 1 | 1)
        bytes[index + 3] = UInt8(new >> 7 & 0xFF)
        bytes[index + 4] = UInt8((new & 0x7F) << 1 | 1)
    }
}
