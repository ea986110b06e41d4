import Foundation
import Synchronization

/// Moves the times in the segments of fragmented mp4 files (ISO/IEC 14496-12, 8.8.12), while they pass.
///
/// GStreamer counts the time of a playlist from its first segment, and takes the times in the segments as they are. A live
/// segment that begins at an hour would be played after an hour. It also finds the language of a track in its initialization
/// only.
final class FragmentClock: SegmentClock {
    /// The units of time of the tracks in a file, by the ids of the tracks.
    typealias Scales = [Int: Int]

    private struct State {
        var position = Position.header
        /// The bytes of the box that is collected.
        var pending = Data()
        var scales: Scales
        /// The time to subtract, in seconds; `nil` before the first segment.
        var shift: Double?

        mutating func take(_ count: Int) -> Data {
            defer { pending = Data(pending.dropFirst(count)) }
            return Data(pending.prefix(count))
        }
    }

    private enum Position {
        /// The next bytes are the beginning of a box.
        case header
        /// The rest of a box passes. In bytes.
        case passing(Int)
        /// A box is collected. Its size in bytes.
        case collecting(Int)
        /// The rest passes, because it is not mp4.
        case open
    }

    /// The longest box that is changed, in bytes.
    private static let longestBox = 1 << 20

    /// Segments with the same initialization have the same name.
    let name: String
    private let shift: @Sendable (Double) -> Double
    /// The code of the language (ISO 639-2); empty for that of the initialization.
    private let language: String
    private let state: Mutex<State>

    /// - Parameter shift: returns the time to subtract, for the first time in the segment. In seconds.
    init(
        _ name: String, scales: Scales, language: String = "", shift: @escaping @Sendable (_ time: Double) -> Double
    ) {
        (self.name, self.shift, self.language) = (name, shift, language)
        state = Mutex(State(scales: scales))
    }

    /// The units of time of the tracks. An initialization that passes adds its own.
    var scales: Scales { state.withLock(\.scales) }

    func pass(_ bytes: [UInt8]) -> [UInt8] {
        state.withLock { state in
            state.pending += bytes
            var result = Data()
            while let part = next(&state) { result += part }
            return Array(result)
        }
    }

    func finish() -> [UInt8] { state.withLock { Array($0.take($0.pending.count)) } }

    /// - Returns: `nil` if more bytes are needed.
    private func next(_ state: inout State) -> Data? {
        guard !state.pending.isEmpty else { return nil }
        switch state.position {
        case .open: return state.take(state.pending.count)
        case .passing(let count):
            let part = state.take(min(count, state.pending.count))
            state.position = part.count < count ? .passing(count - part.count) : .header
            return part
        case .header:
            guard state.pending.count >= 16 else { return nil }
            if let box = Boxes.Header(state.pending, upTo: .max) {
                let isNeeded = ["moof", "moov"].contains(box.type) && box.size <= Self.longestBox
                state.position = isNeeded ? .collecting(box.size) : .passing(box.size)
            } else {
                state.position = .open
            }
            return Data()
        case .collecting(let size):
            guard state.pending.count >= size else { return nil }
            state.position = .header
            return moved(state.take(size), &state)
        }
    }

    private func moved(_ bytes: Data, _ state: inout State) -> Data {
        guard let box = Boxes(bytes).boxes.first else { return bytes }
        let parts = Boxes(box.content)
        var result = bytes
        for track in parts.all("trak") { note(Boxes(track.content), &state.scales, in: &result) }
        for fragment in parts.all("traf") { move(Boxes(fragment.content), &state, in: &result) }
        return result
    }

    private func note(_ track: Boxes, _ scales: inout Scales, in bytes: inout Data) {
        guard let header = track.first("tkhd")?.content, let media = track.first("mdia").map({ Boxes($0.content) }),
            let id = header.number(at: header.first == 1 ? 20 : 12, bytes: 4),
            let clock = media.first("mdhd")?.content,
            let scale = clock.number(at: clock.first == 1 ? 20 : 12, bytes: 4), scale > 0
        else { return }
        scales[id] = scale
        let letters = language.utf8.map { UInt16($0) & 0x1F }
        let start = clock.startIndex + (clock.first == 1 ? 32 : 20)
        guard letters.count == 3, start + 2 <= clock.endIndex else { return }
        let code = letters.reduce(0) { $0 << 5 | $1 }
        (bytes[start], bytes[start + 1]) = (UInt8(code >> 8), UInt8(code & 0xFF))
    }

    private func move(_ fragment: Boxes, _ state: inout State, in bytes: inout Data) {
        guard let id = fragment.first("tfhd")?.content.number(at: 4, bytes: 4), let scale = state.scales[id],
            let clock = fragment.first("tfdt")?.content
        else { return }
        let wide = clock.first == 1 ? 8 : 4
        guard let time = clock.number(at: 4, bytes: wide) else { return }
        let shift = state.shift ?? shift(Double(time) / Double(scale))
        state.shift = shift
        let target = max(0, Double(time) - shift * Double(scale)).rounded()
        guard let value = UInt64(exactly: target), wide == 8 || value <= UInt64(UInt32.max) else { return }
        let start = clock.startIndex + 4
        for index in 0..<wide { bytes[start + index] = UInt8(truncatingIfNeeded: value >> (8 * (wide - 1 - index))) }
    }
}
