#if VLC
import CVLC
import Foundation

/// Loads the modules that most items need while the host chooses an item.
///
/// libVLC loads a module when it first tries it. The first item of a process waits for that: the loader spends two thirds
/// of the time to the first frame, most of it on libavcodec and the hundred libraries behind it. A module that is loaded
/// here stays loaded, and libVLC finds it in memory. A module that is not installed is skipped.
enum VLCModulePreload {
    /// The modules that take more than 0.2 ms to load, in the order in which libVLC tries them for a local file.
    private static let modules = [
        "access/liblibbluray", "access/libdvdnav", "stream_extractor/libarchive", "demux/libmp4", "codec/libavcodec",
        "codec/libtheora", "codec/libsvgdec", "codec/libmpg123", "codec/libfaad", "meta_engine/libtaglib",
        "text_renderer/libfreetype", "audio_filter/libsamplerate", "video_chroma/libswscale", "demux/libadaptive",
    ]

    /// Starts loading once a process, in the background. The loader has one lock, so the thread has the priority of libVLC's.
    static func start() { DispatchQueue.global(qos: .userInitiated).async { loadModules } }

    private static let loadModules: Void = {
        guard let folder else { return }
        for module in modules { dlopen("\(folder)/\(module)_plugin.so", RTLD_LAZY) }
    }()

    /// The folder beside libVLC that it reads its modules from.
    private static var folder: String? {
        var library = flowplayer_library()
        guard let function = dlsym(nil, "libvlc_new"), flowplayer_find_library(function, &library) != 0,
            let path = library.path
        else { return nil }
        let libraries = URL(filePath: String(cString: path)).deletingLastPathComponent()
        return libraries.appending(path: "vlc/plugins").path()
    }
}
#endif
