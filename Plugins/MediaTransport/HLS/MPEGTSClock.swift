/// The clock of an MPEG transport stream (ISO/IEC 13818-1, 2.4.3).
enum MPEGTSClock {
    private static let packet = 188
    private static let start: UInt8 = 0x47

    /// Returns the first clock reference, in seconds; `nil` without one.
    static func first(in bytes: [UInt8]) -> Double? {
        var packets = bytes[...]
        while packets.count >= packet, packets.first == start {
            if let time = reference(in: Array(packets.prefix(packet))) { return time }
            packets = packets.dropFirst(packet)
        }
        return nil
    }

    private static func reference(in packet: [UInt8]) -> Double? {
        let hasAdaptationField = packet[3] & 0x20 != 0
        let (length, flags) = (packet[4], packet[5])
        guard hasAdaptationField, length >= 7, flags & 0x10 != 0 else { return nil }
        let base = packet[6..<10].reduce(0) { $0 << 8 | UInt64($1) } << 1 | UInt64(packet[10] >> 7)
        return Double(base) / 90_000
    }
}
