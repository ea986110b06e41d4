import Foundation

/// A message of SCTE 35: where advertisements begin and end in a stream. Times are in seconds.
///
/// Source: ANSI/SCTE 35 2023, sections 9 and 10.
public struct SpliceInfo: Hashable, Sendable {
    /// The command of a message.
    public enum Command: Hashable, Sendable {
        /// `splice_insert`.
        case insert(Insert)
        /// `time_signal`. The segmentations say what it means.
        case timeSignal
        /// Another command, by its type.
        case other(UInt8)
    }

    /// The command `splice_insert`.
    public struct Insert: Hashable, Sendable {
        /// The id of the event.
        public var eventID: UInt32
        /// `true` if the event was cancelled.
        public var isCancelled = false
        /// `true` if a break begins, `false` if it ends.
        public var isOut = false
        /// The duration of the break; `nil` if it is unknown.
        public var duration: Double?
    }

    /// A segmentation descriptor.
    public struct Segmentation: Hashable, Sendable {
        /// The id of the event.
        public var eventID: UInt32
        /// `true` if the event was cancelled.
        public var isCancelled = false
        /// The duration; `nil` if it is unknown.
        public var duration: Double?
        /// The type of the UPID.
        public var upidType: UInt8 = 0
        /// The UPID, which identifies the content of the segment.
        public var upid = Data()
        /// The type of the segment, such as 0x30 for the start of an advertisement of the provider.
        public var type: UInt8 = 0
        /// The number of the segment, from 1; 0 if segments are not counted.
        public var number: UInt8 = 0
        /// The number of segments.
        public var count: UInt8 = 0
    }

    /// The command.
    public var command: Command
    /// The segmentation descriptors.
    public var segmentations: [Segmentation] = []

    /// - Parameter section: a splice information section. `nil` if it is damaged, encrypted or another table.
    public init?(_ section: Data) {
        var bits = Bits(section)
        guard bits.read(8) == 0xFC, bits.skip(4), let length = bits.read(12), section.count >= length + 3, length > 4,
            Self.checksum(section.prefix(Int(length) + 3)) == 0
        else { return nil }
        bits.limit(toBytes: Int(length) + 3 - 4)
        // The time of the message is that of its place in the stream.
        guard bits.read(8) == 0, bits.read(1) == 0, bits.skip(6 + 33 + 8 + 12), let size = bits.read(12),
            let type = bits.read(8)
        else { return nil }
        // Old encoders do not write the size.
        let isSized = size != 0xFFF
        var body = bits
        if isSized, !body.limit(toNextBytes: Int(size)) { return nil }
        guard let command = Self.command(UInt8(type), &body) else { return nil }
        self.command = command
        if isSized {
            guard bits.skip(Int(size) * 8) else { return nil }
        } else if case .other = command {
            return nil
        } else {
            bits = body
        }
        guard let loop = bits.read(16), bits.limit(toNextBytes: Int(loop)) else { return nil }
        while !bits.isAtEnd {
            guard let tag = bits.read(8), let size = bits.read(8) else { return nil }
            var descriptor = bits
            guard descriptor.limit(toNextBytes: Int(size)), bits.skip(Int(size) * 8) else { return nil }
            guard descriptor.read(32) == Self.identifier, tag == 2 else { continue }
            guard let segmentation = Segmentation(&descriptor) else { return nil }
            segmentations.append(segmentation)
        }
    }

    /// `CUEI`.
    private static let identifier: UInt64 = 0x4355_4549

    private static func command(_ type: UInt8, _ bits: inout Bits) -> Command? {
        switch type {
        case 5: Insert(&bits).map { .insert($0) }
        case 6: bits.skipTime() ? .timeSignal : nil
        default: .other(type)
        }
    }

    /// CRC-32 of MPEG-2; 0 for a section that ends with the right one.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7
            }
        }
    }
}

extension SpliceInfo.Insert {
    fileprivate init?(_ bits: inout Bits) {
        guard let id = bits.read(32), let isCancelled = bits.flag(), bits.skip(7) else { return nil }
        self.init(eventID: UInt32(id), isCancelled: isCancelled)
        if isCancelled { return }
        guard let isOut = bits.flag(), let isProgram = bits.flag(), let hasDuration = bits.flag(),
            let isImmediate = bits.flag(), bits.skip(4)
        else { return nil }
        self.isOut = isOut
        if isProgram, !isImmediate, !bits.skipTime() { return nil }
        if !isProgram {
            guard let count = bits.read(8) else { return nil }
            for _ in 0..<count {
                guard bits.skip(8), isImmediate || bits.skipTime() else { return nil }
            }
        }
        if hasDuration {
            guard bits.skip(7), let ticks = bits.read(33) else { return nil }
            duration = Double(ticks) / SpliceInfo.ticksPerSecond
        }
        guard bits.skip(16 + 8 + 8) else { return nil }
    }
}

extension SpliceInfo.Segmentation {
    fileprivate init?(_ bits: inout Bits) {
        guard let id = bits.read(32), let isCancelled = bits.flag(), bits.skip(7) else { return nil }
        self.init(eventID: UInt32(id), isCancelled: isCancelled)
        if isCancelled { return }
        guard let isProgram = bits.flag(), let hasDuration = bits.flag(), bits.skip(6) else { return nil }
        if !isProgram {
            guard let count = bits.read(8), bits.skip(Int(count) * 48) else { return nil }
        }
        if hasDuration {
            guard let ticks = bits.read(40) else { return nil }
            duration = Double(ticks) / SpliceInfo.ticksPerSecond
        }
        guard let upidType = bits.read(8), let size = bits.read(8) else { return nil }
        self.upidType = UInt8(upidType)
        for _ in 0..<size {
            guard let byte = bits.read(8) else { return nil }
            upid.append(UInt8(byte))
        }
        guard let type = bits.read(8), let number = bits.read(8), let count = bits.read(8) else { return nil }
        (self.type, self.number, self.count) = (UInt8(type), UInt8(number), UInt8(count))
    }
}

extension SpliceInfo {
    fileprivate static let ticksPerSecond = 90_000.0
}

/// Reads numbers of any width, the highest bit first.
private struct Bits {
    private let bytes: [UInt8]
    private var position = 0
    private var end: Int

    init(_ data: Data) {
        bytes = Array(data)
        end = bytes.count * 8
    }

    var isAtEnd: Bool { position == end }

    /// Reads at most 40 bits. `nil` if there are fewer.
    mutating func read(_ count: Int) -> UInt64? {
        guard position + count <= end else { return nil }
        var value: UInt64 = 0
        for index in position..<position + count {
            value = value << 1 | UInt64(bytes[index / 8] >> (7 - index % 8) & 1)
        }
        position += count
        return value
    }

    mutating func flag() -> Bool? { read(1).map { $0 == 1 } }

    mutating func skip(_ count: Int) -> Bool {
        guard position + count <= end else { return false }
        position += count
        return true
    }

    /// Skips a `splice_time`.
    mutating func skipTime() -> Bool { flag().map { skip($0 ? 39 : 7) } ?? false }

    /// Ends the data after so many bytes.
    mutating func limit(toBytes count: Int) { end = min(end, count * 8) }

    /// - Returns: `false` if there are fewer.
    mutating func limit(toNextBytes count: Int) -> Bool {
        guard position + count * 8 <= end else { return false }
        end = position + count * 8
        return true
    }
}
