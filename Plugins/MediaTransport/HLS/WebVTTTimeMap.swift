import Foundation
import Playback

/// The relation of the times in a WebVTT segment to those in the media (RFC 8216, section 3.5).
struct WebVTTTimeMap {
    /// The times of the media begin again after this time, in seconds.
    private static let period = Double(1 << 33) / 90_000

    /// A time in the subtitles, and the same time in the media; `nil` if the segment names none. In seconds.
    private let times: (local: Double, media: Double)?

    /// - Parameter text: the beginning of the segment.
    init(_ text: String) {
        let header = text.split(whereSeparator: \.isNewline).prefix { !$0.contains("-->") }
        let tag = "X-TIMESTAMP-MAP="
        let line = header.first { $0.hasPrefix(tag) }?.dropFirst(tag.count) ?? ""
        let pairs = line.split(separator: ",").map { $0.split(separator: ":", maxSplits: 1) }
        func value(_ name: String) -> Substring? { pairs.first { $0.count == 2 && $0[0] == name }?[1] }
        let time = value("LOCAL").flatMap { $0.contains(":") ? $0.trimmingCharacters(in: .whitespaces) : nil }
        let local = time.flatMap(\.clockSeconds)
        let media = value("MPEGTS").flatMap(Double.init).flatMap { (0...1e12).contains($0) ? $0 / 90_000 : nil }
        times = if let local, let media { (local, media) } else { nil }
    }

    /// Returns the position of the segment's time 0, in seconds.
    ///
    /// Without a relation, the times of a stream with an end are positions: packagers that name none count so. Those of a live stream
    /// are times in the media.
    ///
    /// - Parameters:
    ///   - position: that of the segment.
    ///   - clock: the time in the media at position 0; `nil` if it is unknown.
    func origin(near position: Double, clock: Double?, isLive: Bool) -> Double {
        guard let clock else { return 0 }
        guard let (local, media) = times else { return isLive ? -clock : 0 }
        let origin = media - clock
        return origin - ((origin - position) / Self.period).rounded() * Self.period - local
    }
}
