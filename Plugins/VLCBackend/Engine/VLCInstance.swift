#if VLC
import CVLC
import Foundation
import Synchronization

/// The libVLC instance of this process, with its log.
// Unchecked: `pointer` never changes, and libVLC allows calls with an instance from every thread.
final class VLCInstance: @unchecked Sendable {
    private struct State {
        var current: VLCInstance??
        /// Instances that stuck calls still use.
        var abandoned: [VLCInstance] = []
    }

    private static let state = Mutex(State())

    /// `nil` if libVLC cannot start, usually because its plugins are missing. Concurrent callers receive the same
    /// instance.
    static var shared: VLCInstance? {
        if let current = state.withLock(\.current) { return current }
        // Created outside of the lock, because the call never returns if the plugins are on a dead mount.
        let instance = VLCInstance()
        return state.withLock { state in
            if let current = state.current { return current }
            state.current = .some(instance)
            return instance
        }
    }

    /// Makes later callers use another instance, because a call of this one did not return.
    static func renew() {
        state.withLock { state in
            if let current = state.current.flatMap(\.self) { state.abandoned.append(current) }
            state.current = nil
        }
    }

    let pointer: OpaquePointer
    let log = VLCLogRouter()

    /// The client name for audio servers. It equals libVLC's own, so that they store one volume for the program.
    static let clientName: String = {
        let version = libvlc_get_version().map { String(cString: $0) } ?? "3"
        return "VLC media player (LibVLC \(version.prefix { $0 != " " }))"
    }()

    private static let options = [
        // libavcodec writes to standard error otherwise.
        "--quiet",
        "--no-xlib", "--no-lua", "--no-osd", "--no-video-title-show", "--no-metadata-network-access",
        // Each player sets its own output. Without this option every new player first tries them all.
        "--aout=adummy",
        // libVLC's resampler also runs if there is nothing to resample. Its default takes more CPU time than the decoder of AAC.
        "--audio-resampler=speex_resampler,any",
    ]

    private init?() {
        let arguments = Self.options.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        let pointers = arguments.map { UnsafePointer($0) }
        guard let instance = libvlc_new(Int32(pointers.count), pointers) else { return nil }
        pointer = instance
        log.attach(to: instance)
    }

    deinit {
        libvlc_log_unset(pointer)
        libvlc_release(pointer)
    }
}

/// Loads the modules that most items need while the host chooses an item.
///
/// libVLC loads a module when it first tries it. The first item of a process waits for that: the loader spends two thirds
/// of the time to the first frame, most of it on libavcodec and the hundred libraries behind it. A module that is loaded
/// here stays loaded, and libVLC finds it in memory. A module that is not installed is skipped.
enum VLCModulePreload {
    /// The modules that need C++ libraries. They are loaded before the first item, so that `VLCExit` runs before the
    /// destructors of these libraries.
    private static let cxxModules = ["meta_engine/libtaglib", "demux/libadaptive", "demux/libmkv"]

    /// The modules that take more than 0.2 ms to load, in the order in which libVLC tries them for a local file.
    private static let modules = [
        "access/liblibbluray", "access/libdvdnav", "stream_extractor/libarchive", "demux/libmp4", "codec/libavcodec",
        "codec/libtheora", "codec/libsvgdec", "codec/libmpg123", "codec/libfaad",
        "text_renderer/libfreetype", "audio_filter/libspeex_resampler", "video_chroma/libswscale",
    ]

    /// Starts loading once a process, in the background. The loader has one lock, so the thread has the priority of libVLC's.
    static func start() { DispatchQueue.global(qos: .userInitiated).async { VLCExit.start { loadModules } } }

    private static let loadModules: Void = load(modules)

    /// Loads the modules in C++, once a process.
    static let loadCxxModules: Void = load(cxxModules)

    private static func load(_ modules: [String]) {
        guard let folder = VLCModules.folder else { return }
        for module in modules where !VLCExit.hasBegun { dlopen("\(folder)/\(module)_plugin.so", RTLD_LAZY) }
    }
}
#endif
