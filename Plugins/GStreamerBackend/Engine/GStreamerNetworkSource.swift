#if GStreamer
import CGStreamer
import Foundation
import Playback
import Synchronization

/// A live stream that an element of GStreamer reads from the network itself.
///
/// The element never reconnects, and waits forever. `GStreamerPlayback` retries and times, by the policy of the item.
struct GStreamerNetworkSource: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case rtmp
        /// MPEG-TS in RTP packets.
        case rtp
        case rtsp
        case srt
        case udp
    }

    /// The delay from the arrival of data to their playback, in milliseconds. It hides that data arrive unevenly.
    private static let latency = 500
    /// The memory for UDP packets that the system keeps, in bytes. The system may have a lower limit.
    private static let packetMemory = 2 << 20
    /// The format of RTP packets, whose address is read as that of UDP. GStreamer's `rtpsrc` finds no format for MPEG-TS.
    private static let packetFormat = "application/x-rtp,media=video,clock-rate=90000,encoding-name=MP2T"
    /// For an element that cannot wait forever, in seconds.
    private static let longestTimeout = 86400

    let kind: Kind
    let url: URL
    /// `true` if RTSP carries the media in UDP packets. TCP is tried first, because it passes firewalls and loses nothing.
    var usesUDP = false

    /// - Returns: `nil` for a scheme that GStreamer's elements do not read.
    init?(_ url: URL) {
        guard let kind = Kind(rawValue: url.scheme?.lowercased() ?? "") else { return nil }
        (self.kind, self.url) = (kind, url)
    }

    /// The delay that the pipeline adds, in nanoseconds; `nil` if the element adds its own.
    var pipelineLatency: GstClockTime? { kind == .rtmp ? GstClockTime(Self.latency) * 1_000_000 : nil }

    /// The port to which a connection shows why a server cannot be reached; `nil` if there is no connection.
    var tcpPort: UInt16? {
        switch kind {
        case .rtmp: UInt16(exactly: url.port ?? 1935)
        case .rtsp: UInt16(exactly: url.port ?? 554)
        case .rtp, .srt, .udp: nil
        }
    }

    /// The address for the pipeline.
    var address: String {
        let address = url.absoluteString
        return kind == .rtp ? "udp" + address.dropFirst(Kind.rtp.rawValue.count) : address
    }

    /// Prepares the element that a pipeline has created for the address.
    ///
    /// - Parameter report: called on GStreamer's threads when the server names an address that must not be opened.
    func attach(to element: UnsafeMutablePointer<GstElement>, report: @escaping @Sendable (GStreamerFailure) -> Void) {
        switch kind {
        case .rtmp: gstreamer_set(element, "timeout", "\(Self.longestTimeout)")
        case .rtsp:
            gstreamer_set(element, "protocols", usesUDP ? "udp" : "tcp")
            gstreamer_set(element, "latency", "\(Self.latency)")
            gstreamer_set(element, "tcp-timeout", "0")
            gstreamer_set(element, "timeout", "0")
            gstreamer_set(element, "udp-buffer-size", "\(Self.packetMemory)")
            RTSPFilter(url, report).attach(to: element)
        case .srt:
            // An address must not open a port of this machine.
            gstreamer_set(element, "mode", "caller")
            gstreamer_set(element, "auto-reconnect", "false")
        case .rtp, .udp:
            gstreamer_set(element, "buffer-size", "\(Self.packetMemory)")
            if kind == .rtp { gstreamer_set(element, "caps", Self.packetFormat) }
        }
    }
}

extension GStreamerNetworkSource {
    /// Removes the receiver of an RTSP source's packets, which the server chooses, if it is another host. Blocks.
    func limitReceiver(of sink: UnsafeMutablePointer<GstElement>) {
        guard kind == .rtsp, let host = url.host(), let text = gstreamer_get_string(sink, "host") else { return }
        defer { g_free(text) }
        if !ServerCheck.addresses(of: host).contains(String(cString: text)) { gstreamer_clear_receivers(sink) }
    }
}

/// Limits an RTSP source to the host of the item, because a redirect may lead elsewhere.
///
/// After a redirect, the source requests the options and the description of the new address. It sends all later requests over
/// the same connection. Their addresses do not matter: cameras behind a router name themselves by another host there.
private final class RTSPFilter: Sendable, CallbackContext {
    /// The longest chain of redirects, as for HTTP.
    private static let mostRedirects = 10

    private let host: String?
    private let report: @Sendable (GStreamerFailure) -> Void
    /// The number of session descriptions that were requested.
    private let descriptions = Atomic(0)
    private let hasDescription = Atomic(false)

    init(_ url: URL, _ report: @escaping @Sendable (GStreamerFailure) -> Void) {
        (host, self.report) = (url.host()?.lowercased(), report)
    }

    func attach(to element: UnsafeMutablePointer<GstElement>) {
        gstreamer_on_rtsp_message(
            element,
            { _, message, context in
                guard let message, let context, message.pointee.type == GST_RTSP_MESSAGE_REQUEST else { return 1 }
                let request = message.pointee.type_data.request
                let filter = RTSPFilter.of(context)
                return filter.allows(request.method, request.uri.map { String(cString: $0) } ?? "") ? 1 : 0
            }, retainedContext,
            { context, _ in releaseContext(context) })
    }

    private func allows(_ method: GstRTSPMethod, _ address: String) -> Bool {
        switch method {
        case GST_RTSP_DESCRIBE: descriptions.add(1, ordering: .relaxed)
        case GST_RTSP_OPTIONS: if hasDescription.load(ordering: .relaxed) { return true }
        default:
            hasDescription.store(true, ordering: .relaxed)
            return true
        }
        if descriptions.load(ordering: .relaxed) > Self.mostRedirects + 1 {
            report(GStreamerFailure(kind: .endlessRedirects, message: "More than \(Self.mostRedirects) redirects."))
            return false
        }
        if URL(string: address)?.host()?.lowercased() == host { return true }
        report(GStreamerFailure(kind: .forbidden, message: "The server named the address \(address)."))
        return false
    }
}

extension GStreamerNetworkSource.Kind {
    /// The plugin that is missing; `nil` if streams of this kind can be played.
    var missingPlugin: GStreamerPlugins.Plugin? { plugins.first { !GStreamerPlugins.has($0) } }

    private var plugins: [GStreamerPlugins.Plugin] {
        switch self {
        case .rtmp: [.rtmp, .flv]
        case .rtp: [.udp, .rtp, .mpegTS]
        case .rtsp: [.rtsp, .rtp, .rtpManager, .udp]
        case .srt: [.srt, .mpegTS]
        case .udp: [.udp, .mpegTS]
        }
    }
}
#endif
