import Foundation

/// The times in the segments of a stream, and how they change on their way to the engine.
struct StreamTimes {
    /// The handling of the times of segments without an initialization.
    private enum TransportStreams {
        /// They pass, because there was no discontinuity.
        case undecided
        /// They become continuous.
        case moved
        /// They pass, because those of other segments cannot change.
        case kept
    }

    /// The time of the first segment of a DASH stream that the engine received a playlist of, in seconds.
    var start: Double?
    /// The units of time in segments of fragmented mp4, by the names of their clocks.
    var scales: [String: FragmentClock.Scales] = [:]
    /// The times of the segments; `nil` for DASH, whose manifest names them.
    private var segments: SegmentTimes?
    private var transportStreams: TransportStreams
    /// The last segment of each period, and the time at its start in seconds.
    private var clocks: [Int: (segment: Int, time: Double)] = [:]

    /// - Parameters:
    ///   - countsFromFirst: `true` for an engine that counts times from the first segment of the first playlist. It keeps its time at a
    ///     discontinuity of MPEG-TS.
    ///   - hasSubtitles: `true` if the times of separate subtitles belong to those of the segments. They cannot change.
    init(isDASH: Bool, countsFromFirst: Bool, hasSubtitles: Bool) {
        segments = isDASH ? nil : SegmentTimes(isFromZero: countsFromFirst)
        transportStreams = countsFromFirst || hasSubtitles ? .kept : .undecided
    }

    /// `true` if the times of MPEG-TS and of audio alone become continuous.
    var movesTransportStreams: Bool { transportStreams == .moved }

    /// Decides whether the times of segments without an initialization become continuous: from the first discontinuity on.
    mutating func decide(for list: [HLSSegment]) {
        guard transportStreams == .undecided else { return }
        let isInterrupted = list.first?.period != list.last?.period
        if list.contains(where: \.isEncrypted) {
            transportStreams = .kept
        } else if isInterrupted, list.allSatisfy({ $0.map == nil }) {
            transportStreams = .moved
        }
    }

    /// `true` if the times of these segments change.
    func moves(_ list: [HLSSegment]) -> Bool {
        list.allSatisfy { $0.map != nil } || movesTransportStreams && list.allSatisfy { $0.map == nil }
    }

    /// Takes the segments of a version of a playlist, whose times change.
    mutating func add(_ list: [HLSSegment], of playlist: URL) {
        segments?.add(list, of: playlist)
        // The engine has received this one as it is.
        if list.allSatisfy({ $0.map == nil }), let last = clocks.values.max(by: { $0.segment < $1.segment }) {
            segments?.begin(at: last.time, in: last.segment, of: playlist)
        }
    }

    /// Returns the time to subtract from the times in a segment, in seconds.
    ///
    /// - Parameter time: a time in the segment, in seconds.
    mutating func shift(of time: Double, in segment: HLSSegment, of playlist: URL) -> Double {
        segments?.shift(of: time, in: segment.number, of: playlist) ?? 0
    }

    /// Returns a segment, and the time in the media at its start, in seconds; `nil` if none is known.
    ///
    /// - Parameter period: the number of discontinuities before the segment; `nil` for any.
    func clock(ofPeriod period: Int?) -> (segment: Int, time: Double)? {
        period.map { clocks[$0] } ?? clocks.min { $0.key < $1.key }?.value
    }

    /// `true` if the time of this segment is the last one of its period.
    func hasClock(of segment: HLSSegment) -> Bool { clocks[segment.period]?.segment == segment.number }

    /// Notes the time at the start of a segment of a variant, in seconds.
    mutating func setClock(_ time: Double, of segment: HLSSegment) { clocks[segment.period] = (segment.number, time) }
}
