import Foundation

/// The segments of a stream that an engine has received, by their numbers.
struct DeliveredSegments {
    private struct Delivery {
        let size: Int?
        var received = 0
        var isComplete = false
    }

    /// By the file and the first byte of each segment. The number of bytes is left out.
    private var segments: [HLSSegment.Part: HLSSegment] = [:]
    private var deliveries: [Int: Delivery] = [:]

    /// The received part of each segment, in `0...1`.
    var parts: [Int: Double] {
        deliveries.mapValues { delivery in
            if delivery.isComplete { return 1 }
            guard let size = delivery.size, size > 0 else { return 0 }
            return min(Double(delivery.received) / Double(size), 1)
        }
    }

    /// Takes the segments of a media playlist. Those before its first one are forgotten.
    mutating func add(_ list: [HLSSegment]) {
        if let first = list.first?.number {
            segments = segments.filter { $0.value.number >= first }
            deliveries = deliveries.filter { $0.key >= first }
        }
        for segment in list { segments[segment.part.beginning] = segment }
    }

    /// Returns the segment with a part; `nil` if it is not in a playlist.
    func segment(of part: HLSSegment.Part) -> HLSSegment? { segments[part.beginning] }

    /// A segment is delivered from now on.
    ///
    /// - Parameter size: its size in bytes; `nil` if it is unknown.
    mutating func begin(_ number: Int?, size: Int?) {
        if let number { deliveries[number] = Delivery(size: size) }
    }

    mutating func received(_ count: Int, of number: Int?) {
        if let number { deliveries[number]?.received += count }
    }

    mutating func completed(_ number: Int?) {
        if let number { deliveries[number]?.isComplete = true }
    }

    /// The engine drops what it has received, because it seeks.
    mutating func drop() { deliveries = [:] }
}
