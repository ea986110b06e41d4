#if GStreamer
import CGStreamer
import Playback
import Synchronization

/// The engine's own window. It appears with its first frame.
///
/// It has its own pipeline, because the pipeline of an item continues when the window is closed, and another item continues
/// with the same window.
final class GStreamerWindow: Sendable {
    /// The elements that show video, best first. Under Wayland, windows of X11 have a frame, and those of `waylandsink` have none.
    private static let sinks = ["xvimagesink", "ximagesink", "waylandsink"]

    /// Reported if none of them can connect.
    static let unavailable = PlaybackNotice(
        code: "noWindow",
        message: "No window could be opened for the video. Is \(GStreamerPlugins.Plugin.window.package) installed?")

    private nonisolated(unsafe) let pipeline: UnsafeMutablePointer<GstElement>
    /// The pipeline owns it.
    private nonisolated(unsafe) let input: UnsafeMutablePointer<GstElement>
    private let handler: Handler
    /// The connection to a Wayland compositor; `nil` under X11.
    private let sockets: WaylandSockets?

    /// `true` after the user has closed the window.
    var isLost: Bool { handler.isLost.load(ordering: .relaxed) }

    /// `true` if the compositor has refused it. Another window may succeed.
    var isRefused: Bool { sockets?.isClosed == true }

    /// Connects to the display.
    ///
    /// - Parameter lost: called on GStreamer's thread when `isLost` has become `true`.
    init?(lost: @escaping @Sendable () -> Void) {
        // A frame that is still waiting is replaced by the next one.
        let description =
            "appsrc name=input format=time max-buffers=1 leaky-type=downstream ! videoconvertscale name=output"
        guard let (sink, sockets) = Self.makeSink(), let pipeline = gst_parse_launch(description, nil) else {
            return nil
        }
        let members = gstreamer_bin(pipeline)
        let (input, output) = (gst_bin_get_by_name(members, "input"), gst_bin_get_by_name(members, "output"))
        defer { for element in [input, output] { gst_object_unref(element) } }
        guard let input, let output else { return nil }
        (self.pipeline, self.input, self.sockets, handler) = (pipeline, input, sockets, Handler(lost))
        gst_bin_add(members, sink)
        gst_element_link(output, sink)
        // The item's pipeline sends each frame when it is due.
        gstreamer_set(sink, "sync", "false")
        let bus = gst_element_get_bus(pipeline)
        gst_bus_set_sync_handler(
            bus,
            { _, message, context in
                guard let message, let context else { return GST_BUS_DROP }
                if gstreamer_type(message) == GST_MESSAGE_ERROR {
                    let handler = Handler.of(context)
                    handler.isLost.store(true, ordering: .relaxed)
                    handler.report()
                }
                gstreamer_unref(message)
                return GST_BUS_DROP
            }, handler.retainedContext, releaseContext)
        gst_object_unref(bus)
        gst_element_set_state(pipeline, GST_STATE_PLAYING)
    }

    deinit {
        close()
        gst_object_unref(pipeline)
    }

    func close() { gst_element_set_state(pipeline, GST_STATE_NULL) }

    /// The first element that can connect to the display.
    private static func makeSink() -> (UnsafeMutablePointer<GstElement>, WaylandSockets?)? {
        for name in sinks {
            guard let sink = gst_element_factory_make(name, nil) else { continue }
            let others = name == "waylandsink" ? WaylandSockets() : nil
            if gst_element_set_state(sink, GST_STATE_READY) != GST_STATE_CHANGE_FAILURE {
                return (sink, others.map { WaylandSockets().subtracting($0) })
            }
            gst_element_set_state(sink, GST_STATE_NULL)
            gst_object_unref(sink)
        }
        return nil
    }

    /// Shows a frame of any format. A closed window ignores it.
    func show(_ sample: OpaquePointer) { gst_app_src_push_sample(gstreamer_app_src(input), sample) }

    /// A class, because C needs a pointer to an object.
    private final class Handler: Sendable, CallbackContext {
        let isLost = Atomic(false)
        let report: @Sendable () -> Void

        init(_ report: @escaping @Sendable () -> Void) { self.report = report }
    }
}

/// The destination of the video of a pipeline.
enum GStreamerVideoOutput {
    /// No video is decoded.
    case none
    case sink(any VideoFrameSink)
    case window(GStreamerWindow)

    var isNone: Bool { if case .none = self { true } else { false } }

    /// The object that shows the video.
    private var receiver: AnyObject? {
        switch self {
        case .none: nil
        case .sink(let sink): sink
        case .window(let window): window
        }
    }

    static func != (first: Self, second: Self) -> Bool { first.receiver !== second.receiver }
}
#endif
