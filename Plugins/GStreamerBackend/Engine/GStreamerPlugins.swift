#if GStreamer
import CGStreamer
import CGStreamerSource
import Foundation
import Playback

/// The plugins of GStreamer that are installed, and the features that they give.
enum GStreamerPlugins {
    /// Starts GStreamer. `false` if that is not possible.
    static let areLoaded = loading {
        guard gst_init_check(nil, nil, nil) != 0 else { return false }
        allowDecoders(of: "va")
        gstreamer_source_register()
        return true
    }

    /// Lets pipelines choose the decoders of a plugin before others.
    ///
    /// GStreamer 1.22 chooses no decoder of VA itself: it leaves the work to an older plugin, which is in its own package.
    static func allowDecoders(of plugin: String) { gstreamer_allow_decoders(plugin) }

    /// Taken while libraries are loaded, and for good when the process exits.
    ///
    /// `exit` runs the destructors of all libraries. A library that is loaded meanwhile starts those that it needs again, and GLib then
    /// ends the process with an error.
    private static let loader: DispatchSemaphore = {
        atexit { _ = GStreamerPlugins.loader.wait(timeout: .now() + GStreamerPlugins.longestExitDelay) }
        return DispatchSemaphore(value: 1)
    }()
    /// In seconds. A plugin that hangs does not keep the process.
    private static let longestExitDelay = 2.0

    /// Lets `exit` wait for libraries that are being loaded. Call it on the thread of the host: another one could be too late for `exit`.
    static func prepareForExit() { _ = loader }

    private static func loading<Result>(_ load: () -> Result) -> Result {
        loader.wait()
        defer { loader.signal() }
        return load()
    }

    /// Loads the plugins that most items need, on another thread. Without that, the first item waits for them.
    static let preloading: Void = {
        let names = [
            "playback", "app", "typefindfunctions", "isomp4", "libav", "videoparsersbad", "audioparsers", "deinterlace",
            "videoconvertscale", "videofilter", "pango", "audioconvert", "audioresample", "audiofx",
        ]
        DispatchQueue.global(qos: .utility).async {
            for name in names {
                loading {
                    if let plugin = gst_plugin_load_by_name(name) { gst_object_unref(UnsafeMutableRawPointer(plugin)) }
                }
            }
        }
    }()

    /// A plugin without which a feature is missing.
    enum Plugin: String {
        /// The players and their sources.
        case playback = "gstplayback"
        case app = "gstapp"
        /// Rotates video. Without it, video is shown as it is stored.
        case videoFilter = "gstvideofilter"
        /// Draws subtitles.
        case subtitles = "gstpango"
        /// Reads external subtitles.
        case subtitleFiles = "gstsubparse"
        /// Opens a window of X11.
        case window = "gstximagesink"
        /// Opens a window of Wayland.
        case waylandWindow = "gstwaylandsink"
        /// Keeps the pitch at other rates.
        case audioEffects = "gstaudiofx"
        case alsa = "gstalsa"
        case decoders = "gstlibav"
        /// Reads WMV and WMA.
        case asf = "gstasf"
        /// Reads HLS.
        case hls = "gsthls"
        /// Reads the segments of most HLS streams.
        case mpegTS = "gstmpegtsdemux"
        case rtsp = "gstrtsp"
        /// Reads the media of RTSP.
        case rtp = "gstrtp"
        case rtpManager = "gstrtpmanager"
        case rtmp = "gstrtmp2"
        /// Reads the media of RTMP.
        case flv = "gstflv"
        case srt = "gstsrt"
        case udp = "gstudp"

        /// The Debian package that contains it.
        var package: String {
            switch self {
            case .playback, .app, .subtitleFiles: "gstreamer1.0-plugins-base"
            case .videoFilter, .audioEffects, .rtsp, .rtp, .rtpManager, .flv, .udp:
                "gstreamer1.0-plugins-good"
            case .hls, .mpegTS, .rtmp, .srt, .waylandWindow: "gstreamer1.0-plugins-bad"
            case .alsa: "gstreamer1.0-alsa"
            case .subtitles, .window: "gstreamer1.0-x"
            case .decoders: "gstreamer1.0-libav"
            case .asf: "gstreamer1.0-plugins-ugly"
            }
        }
    }

    /// The features that need plugins.
    private static let optional: [(features: Set<BackendCapabilities.Feature>, plugins: [Plugin])] = [
        ([.frames, .videoSize, .outputSwitching, .videoDetaching], [.app]),
        ([.window], [has(.waylandWindow) ? .waylandWindow : .window]),
        ([.externalSubtitles], [.subtitles, .subtitleFiles]),
        ([.peakBitRate, .qualitySelection, .dvrWindow], [.hls]),
    ]

    /// Reads no plugin, because the main actor asks for the capabilities.
    static let capabilities: BackendCapabilities = {
        var features: Set<BackendCapabilities.Feature> = [
            .trackSelection, .subtitleDelay, .keyframeSeeking, .httpHeaders, .bufferedRanges, .metadata, .preparing,
            .crossfading, .interruptions,
        ]
        var remedies: [BackendCapabilities.Feature: String] = [:]
        for part in optional {
            guard let missing = part.plugins.first(where: { !has($0) }) else {
                features.formUnion(part.features)
                continue
            }
            for feature in part.features { remedies[feature] = "Install \(missing.package)." }
        }
        return BackendCapabilities(
            rates: has(.audioEffects) ? 0.25...4 : 1...1, features: features, remedies: remedies)
    }()

    /// The package that HLS needs; `nil` if HLS can be played.
    static var missingForHLS: String? { has(.hls) ? nil : Plugin.hls.package }

    /// The schemes of addresses that can be played.
    static var schemes: Set<String> {
        let network = GStreamerNetworkSource.Kind.allCases.filter { $0.missingPlugin == nil }
        return Set(["file", "http", "https"] + network.map(\.rawValue))
    }

    static func has(_ plugin: Plugin) -> Bool {
        folders.contains { access("\($0)/lib\(plugin.rawValue).so", R_OK) == 0 }
    }

    /// GStreamer on this machine.
    static var installation: BackendInstallation {
        var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
        gst_version(&major, &minor, &micro, &nano)
        let effects: [(Plugin, String)] = [
            (.playback, "playback"), (.videoFilter, "rotated video"), (.audioEffects, "other rates"),
            (.subtitles, "subtitles on the video"), (.window, "the engine's own window"),
            (.alsa, "audio without an audio server"),
            (.decoders, "most codecs, such as H.264 and AAC"), (.hls, "HLS"),
            (.mpegTS, "MPEG-TS"), (.asf, "WMV and WMA"),
        ]
        let missing = effects.filter { !has($0.0) }.map { "\($0.0.package) adds \($0.1)." }
        let missingProtocols = GStreamerNetworkSource.Kind.allCases.compactMap { kind in
            kind.missingPlugin.map { "\($0.package) adds \(kind.rawValue.uppercased())." }
        }
        return BackendInstallation(version: "\(major).\(minor).\(micro)", missing: missing + missingProtocols)
    }

    /// The reason why nothing can be played; `nil` if something can.
    static var problem: String? {
        guard areLoaded else { return "GStreamer could not start." }
        let missing = [Plugin.playback, .app].first { !has($0) }
        return missing.map { "The GStreamer plugin \($0.rawValue) is missing. Install \($0.package)." }
    }

    /// The folders that GStreamer reads its plugins from.
    private static let folders: [String] = {
        func list(_ variable: String) -> [String]? {
            (getenv(variable + "_1_0") ?? getenv(variable)).map { paths in
                String(cString: paths).split(separator: ":").map(String.init)
            }
        }
        let system = list("GST_PLUGIN_SYSTEM_PATH") ?? [ownFolder].compactMap(\.self)
        return (list("GST_PLUGIN_PATH") ?? []) + system
    }()

    /// The folder beside GStreamer's library.
    private static var ownFolder: String? {
        var library = gstreamer_library()
        guard let function = dlsym(nil, "gst_init_check"), gstreamer_find_library(function, &library) != 0,
            let path = library.path
        else { return nil }
        let libraries = URL(filePath: String(cString: path)).deletingLastPathComponent()
        return libraries.appending(path: "gstreamer-1.0").path(percentEncoded: false)
    }
}
#endif
