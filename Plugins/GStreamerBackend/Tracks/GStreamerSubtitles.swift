#if GStreamer
import CGStreamer
import Foundation
import Synchronization

/// The subtitles of one pipeline: collects the cues of all tracks, and draws those of the selected one.
///
/// The cues are taken out of the pipeline where it would combine its subtitle streams. A selection then changes nothing
/// in the pipeline, and takes effect with the next frame. The cues arrive on GStreamer's threads.
final class GStreamerSubtitles: Sendable, CallbackContext {
    struct Cue: Equatable {
        let start: GstClockTime
        let end: GstClockTime
        let markup: String

        /// The latest end, in nanoseconds. Damaged subtitles may name any time.
        private static let latestEnd = 1e18

        /// - Returns: `nil` if it ends before the start of the item.
        func moved(by seconds: Double) -> Cue? {
            let (start, end) = (Double(start) + seconds * 1e9, Double(end) + seconds * 1e9)
            guard start <= end, end > 0, end <= Self.latestEnd else { return nil }
            return Cue(start: GstClockTime(max(0, start)), end: GstClockTime(end), markup: markup)
        }
    }

    private final class Track: Sendable, CallbackContext {
        let cues = Mutex<[Cue]>([])
    }

    private struct State {
        var tracks: [Track] = []
        var selected: Int?
        /// The cues of subtitles outside the pipeline. Their times are positions in the item.
        var separate: [Cue] = []
        /// The position of the pipeline's time 0, in seconds.
        var origin = 0.0
        /// In seconds.
        var delay = 0.0
        var shown = ""
    }

    /// More cues than are read ahead, and than overlap.
    private static let longestList = 200

    private let state = Mutex(State())

    /// - Parameters:
    ///   - track: the track to show; `nil` for none.
    ///   - separate: the cues to show that are outside the pipeline.
    func select(_ track: Int?, separate: [Cue]) { state.withLock { ($0.selected, $0.separate) = (track, separate) } }

    func setOrigin(_ seconds: Double) { state.withLock { $0.origin = seconds } }

    /// Shows the cues so many seconds later.
    func setDelay(_ seconds: Double) { state.withLock { $0.delay = seconds } }

    // MARK: Cues

    /// The element that receives the subtitle streams of a pipeline. It lets no cue pass.
    func makeCombiner() -> UnsafeMutablePointer<GstElement>? {
        guard let combiner = gst_element_factory_make("funnel", nil) else { return nil }
        gstreamer_on_pad_added(
            combiner,
            { _, pad, context in
                guard let pad, gst_pad_get_direction(pad) == GST_PAD_SINK else { return }
                GStreamerSubtitles.of(context).addTrack(of: pad)
            }, Unmanaged.passUnretained(self).toOpaque())
        return combiner
    }

    /// The tracks arrive in the order of their numbers.
    private func addTrack(of pad: UnsafeMutablePointer<GstPad>) {
        let track = Track()
        state.withLock { $0.tracks.append(track) }
        let types = GstPadProbeType(
            rawValue: GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue)
        gst_pad_add_probe(
            pad, types,
            { pad, info, context in
                let track = Track.of(context)
                guard let info, info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0,
                    let buffer = gst_pad_probe_info_get_buffer(info)
                else {
                    track.cues.withLock { $0.removeAll() }
                    return GST_PAD_PROBE_OK
                }
                guard let cue = Cue(buffer, from: pad) else { return GST_PAD_PROBE_DROP }
                track.cues.withLock { cues in
                    cues.append(cue)
                    if cues.count > GStreamerSubtitles.longestList { cues.removeFirst() }
                }
                return GST_PAD_PROBE_DROP
            }, track.retainedContext, releaseContext)
    }

    // MARK: Frames

    /// Draws the cues on the frames that arrive at an element of the type `textoverlay`, which owns this object then.
    func draw(on overlay: UnsafeMutablePointer<GstElement>) {
        let pad = gst_element_get_static_pad(overlay, "video_sink")
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_BUFFER,
            { pad, info, context in
                guard let buffer = gst_pad_probe_info_get_buffer(info),
                    let text = GStreamerSubtitles.of(context).change(
                        at: buffer.pointee.pts, position: gstreamer_stream_time(pad, buffer.pointee.pts)),
                    let overlay = gst_pad_get_parent_element(pad)
                else { return GST_PAD_PROBE_OK }
                gstreamer_set_string(overlay, "text", text)
                gst_object_unref(overlay)
                return GST_PAD_PROBE_OK
            }, retainedContext, releaseContext)
        gst_object_unref(pad)
    }

    /// - Returns: the markup to show with a frame; `nil` if it is shown already.
    ///
    /// - Parameters:
    ///   - time: the time stamp of the frame.
    ///   - position: the position of the frame in the pipeline.
    private func change(at time: GstClockTime, position: GstClockTime) -> String? {
        state.withLock { state in
            let track = state.selected.flatMap { state.tracks.indices.contains($0) ? state.tracks[$0] : nil }
            let delay = state.delay
            let cues = track?.cues.withLock { $0.filter { $0.isShown(at: time, delay: delay) } } ?? []
            let separate = state.separate.filter { $0.isShown(at: position, delay: delay - state.origin) }
            let text = (cues + separate).map(\.markup).joined(separator: "\n")
            guard text != state.shown else { return nil }
            state.shown = text
            return text
        }
    }
}

extension GStreamerSubtitles.Cue {
    fileprivate func isShown(at time: GstClockTime, delay: Double) -> Bool {
        // A damaged file may name any time, and a frame may have none. Integers would overflow.
        let time = Double(time) - delay * 1e9
        return Double(start) <= time && time < Double(end)
    }

    /// - Returns: `nil` without a time.
    init?(_ buffer: UnsafeMutablePointer<GstBuffer>, from pad: UnsafeMutablePointer<GstPad>?) {
        (start, end) = (buffer.pointee.pts, buffer.pointee.pts &+ buffer.pointee.duration)
        guard start != .max, buffer.pointee.duration != .max else { return nil }
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
        let bytes = UnsafeBufferPointer(start: map.data, count: Int(map.size))
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        gst_buffer_unmap(buffer, &map)
        let caps = gst_pad_get_current_caps(pad)
        defer { if let caps { gst_caps_unref(caps) } }
        let format = caps.flatMap { gst_structure_get_string(gst_caps_get_structure($0, 0), "format") }
        if let format, String(cString: format) == "pango-markup" {
            markup = text.trimmingCharacters(in: .newlines)
        } else {
            let isPlain = caps?.has(name: "text/x-raw") == true
            let escaped = g_markup_escape_text(isPlain ? text : Self.text(ofEvent: text), -1)
            defer { g_free(escaped) }
            markup = escaped.map { String(cString: $0).trimmingCharacters(in: .newlines) } ?? ""
        }
    }

    /// The text of an event of ASS or SSA in Matroska, without its style.
    private static func text(ofEvent event: String) -> String {
        let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return "" }
        let text = fields[8].replacing(/\{[^}]*\\p[1-9][^}]*\}[^{]*/, with: "").replacing(/\{[^}]*\}/, with: "")
        return String(text.replacing(/\\[Nn]/, with: "\n").replacing("\\h", with: " "))
    }
}
#endif
