#if GStreamer
import CGStreamer
import Foundation
import MediaTransport
import Playback

// Subtitles in a file: GStreamer parses the whole file at once.
extension GStreamerSubtitles {
    static func readCues(of file: SubtitleFile) async -> [Cue] {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: cues(of: file.url)) }
        }
    }

    /// Reads the cues of a local file in SRT or WebVTT. Blocks until all of it has been read.
    ///
    /// - Returns: an empty list if the file contains no cue.
    private static func cues(of file: URL) -> [Cue] {
        let description = "filesrc name=file ! subparse ! appsink name=cues sync=false"
        guard let pipeline = gst_parse_launch(description, nil) else { return [] }
        defer { gst_object_unref(pipeline) }
        let members = gstreamer_bin(pipeline)
        guard let source = gst_bin_get_by_name(members, "file"), let sink = gst_bin_get_by_name(members, "cues") else {
            return []
        }
        defer { for element in [source, sink] { gst_object_unref(element) } }
        gstreamer_set_string(source, "location", file.path(percentEncoded: false))
        gst_element_set_state(pipeline, GST_STATE_PLAYING)
        defer { gst_element_set_state(pipeline, GST_STATE_NULL) }
        let pad = gst_element_get_static_pad(sink, "sink")
        defer { gst_object_unref(pad) }
        var cues: [Cue] = []
        while let sample = nextSample(of: sink, in: pipeline) {
            if let cue = gst_sample_get_buffer(sample).flatMap({ Cue($0, from: pad) }) { cues.append(cue) }
            gstreamer_unref(UnsafeMutableRawPointer(sample))
        }
        return cues
    }

    /// - Returns: `nil` at the end, and after an error.
    private static func nextSample(
        of sink: UnsafeMutablePointer<GstElement>, in pipeline: UnsafeMutablePointer<GstElement>
    ) -> OpaquePointer? {
        let bus = gst_element_get_bus(pipeline)
        defer { gst_object_unref(bus) }
        while true {
            if let sample = gst_app_sink_try_pull_sample(gstreamer_app_sink(sink), GstClockTime(10_000_000)) {
                return sample
            }
            if gst_app_sink_is_eos(gstreamer_app_sink(sink)) != 0 { return nil }
            if let message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR) {
                gst_message_unref(message)
                return nil
            }
        }
    }
}
#endif
