#if VLC || GStreamer
import Foundation

/// The segments of a stream that an engine has received, by their numbers.
struct DeliveredSegments {
    /// A segment can be a part of a file.
    private struct Address: Hashable {
        let url: URL
        let offset: UInt64
    }

    private struct Delivery {
        let size: Int?
        var received = 0
        var isComplete = false
    }

    private var numbers: [Address: Int] = [:]
    private var deliveries: [Int: Delivery] = [:]

    /// The received part of each segment, in `0...1`.
    var parts: [Int: Double] {
        deliveries.mapValues { delivery in
            if delivery.isComplete { return 1 }
            guard let size = delivery.size, size > 0 else { return 0 }
            return min(Double(delivery.received) / Double(size), 1)
        }
    }

    /// Takes the numbers of the segments from a media playlist. Segments before its first one are forgotten.
    mutating func add(_ playlist: String, at url: URL) {
        let segments = HLSSegment.list(of: playlist, at: url)
        if let first = segments.first?.number {
            numbers = numbers.filter { $0.value >= first }
            deliveries = deliveries.filter { $0.key >= first }
        }
        for segment in segments { numbers[Address(url: segment.part.url, offset: segment.part.start)] = segment.number }
    }

    /// A segment is delivered from now on. Other addresses than those of segments are ignored.
    ///
    /// - Parameters:
    ///   - offset: its first byte in the file.
    ///   - size: its size in bytes; `nil` if it is unknown.
    mutating func begin(_ url: URL, at offset: UInt64, size: Int?) {
        if let number = number(url, offset) { deliveries[number] = Delivery(size: size) }
    }

    mutating func received(_ count: Int, of url: URL, at offset: UInt64) {
        if let number = number(url, offset) { deliveries[number]?.received += count }
    }

    mutating func completed(_ url: URL, at offset: UInt64) {
        if let number = number(url, offset) { deliveries[number]?.isComplete = true }
    }

    /// The engine drops what it has received, because it seeks.
    mutating func drop() { deliveries = [:] }

    private func number(_ url: URL, _ offset: UInt64) -> Int? { numbers[Address(url: url, offset: offset)] }
}
#endif
