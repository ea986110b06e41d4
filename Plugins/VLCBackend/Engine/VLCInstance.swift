#if VLC
import CVLC
import Foundation
import Synchronization

/// The libVLC of this process, with its log.
// Unchecked: the pointer is only read, and libVLC's functions on an instance may be called from any thread.
final class VLCInstance: @unchecked Sendable {
    private struct State {
        var current: VLCInstance??
        /// What is stuck in them still uses them.
        var abandoned: [VLCInstance] = []
    }

    private static let state = Mutex(State())

    /// `nil` if libVLC cannot start, most likely for want of its plugins. Of several that are made at once, one is kept.
    static var shared: VLCInstance? {
        if let current = state.withLock(\.current) { return current }
        // Not under the lock: with plugins on a mount that is dead, it never comes back, and no player would.
        let instance = VLCInstance()
        return state.withLock { state in
            if let current = state.current { return current }
            state.current = .some(instance)
            return instance
        }
    }

    /// What comes next uses another one: a call of this one did not return.
    static func renew() {
        state.withLock { state in
            if let current = state.current.flatMap(\.self) { state.abandoned.append(current) }
            state.current = nil
        }
    }

    let pointer: OpaquePointer
    let log = VLCLogRouter()

    /// The client name that audio servers show, the same as libVLC's own, so that a volume belongs to one program.
    static let clientName: String = {
        let version = libvlc_get_version().map { String(cString: $0) } ?? "3"
        return "VLC media player (LibVLC \(version.prefix { $0 != " " }))"
    }()

    private static let options = [
        // libavcodec writes to standard error otherwise.
        "--quiet",
        "--no-xlib", "--no-lua", "--no-stats", "--no-osd", "--no-video-title-show", "--no-metadata-network-access",
        // Each player chooses its own; without this one, every new player first tries them all.
        "--aout=adummy",
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
#endif
