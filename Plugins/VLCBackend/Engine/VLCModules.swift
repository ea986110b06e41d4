#if VLC
import CVLC
import Foundation
import Playback

/// The modules of libVLC that are installed, and the schemes that can be played with them.
enum VLCModules {
    /// The modules for schemes that `MediaTransport` does not read. Debian packages no module for `rtsp` and `srt`.
    private static let readers = [
        "rtmp": "access/libavio", "rtp": "access/librtp", "rtsp": "access/liblive555", "srt": "access/libaccess_srt",
        "udp": "access/libudp",
    ]

    /// The schemes that can be played, in lower case.
    static let schemes = schemes(with: folder)

    static func schemes(with folder: String?) -> Set<String> {
        let installed = readers.filter { _, module in
            folder.map { access("\($0)/\(module)_plugin.so", R_OK) == 0 } ?? false
        }
        return Set(installed.keys).union(["file", "http", "https"])
    }

    /// libVLC on this machine.
    static var installation: BackendInstallation {
        let version = libvlc_get_version().map { String(String(cString: $0).prefix { $0 != " " }) }
        return BackendInstallation(version: version, missing: missing(in: folder))
    }

    static func missing(in folder: String?) -> [String] {
        func has(_ module: String) -> Bool {
            folder.map { access("\($0)/\(module)_plugin.so", R_OK) == 0 } ?? false
        }
        var sentences: [String] = []
        if !has("codec/libavcodec") {
            sentences.append("vlc-plugin-base adds most formats, and the schemes rtmp, rtp and udp.")
        }
        if !has("video_output/libxcb_x11") { sentences.append("vlc-plugin-video-output adds the engine's own window.") }
        return sentences
    }

    /// Returns the error of an address that no module reads.
    static func error(for url: URL) -> PlaybackError? {
        let scheme = url.scheme?.lowercased() ?? ""
        guard !schemes.contains(scheme) else { return nil }
        let detail = "This installation of libVLC has no module for addresses that start with \(scheme):."
        return PlaybackError(.unsupportedScheme, url: url, detail: detail)
    }

    /// The folder beside libVLC that it reads its modules from.
    static var folder: String? {
        var library = flowplayer_library()
        guard let function = dlsym(nil, "libvlc_new"), flowplayer_find_library(function, &library) != 0,
            let path = library.path
        else { return nil }
        let libraries = URL(filePath: String(cString: path)).deletingLastPathComponent()
        return libraries.appending(path: "vlc/plugins").path(percentEncoded: false)
    }
}
#endif
