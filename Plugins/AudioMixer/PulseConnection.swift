#if VLC || GStreamer
import CPulse
import Dispatch

/// A connection to the server that the environment names. libpulse runs a thread for it.
///
/// libpulse may be called only under the connection's lock. Its thread holds the lock during callbacks.
package final class PulseConnection: Sendable {
    // Unsafe: the pointers never change, and the lock of the loop guards their objects.
    nonisolated(unsafe) let context: OpaquePointer
    nonisolated(unsafe) private let loop: OpaquePointer

    /// Connects, and returns `nil` if no server accepts the connection.
    ///
    /// - Parameter name: the client name that the server shows. The server remembers volumes by it.
    package init?(name: String) {
        guard let loop = pa_threaded_mainloop_new() else { return nil }
        guard let context = pa_context_new(pa_threaded_mainloop_get_api(loop), name) else {
            pa_threaded_mainloop_free(loop)
            return nil
        }
        self.loop = loop
        self.context = context
        pa_context_set_state_callback(
            context, { _, loop in pa_threaded_mainloop_signal(.init(loop), 0) }, .init(loop))
        guard pa_context_connect(context, nil, PA_CONTEXT_NOFLAGS, nil) >= 0 else { return nil }
        guard pa_threaded_mainloop_start(loop) >= 0 else { return nil }
        let isConnected = locked {
            while !isReady, PA_CONTEXT_IS_GOOD(pa_context_get_state(context)) != 0 { wait() }
            return isReady
        }
        if !isConnected { return nil }
    }

    deinit {
        nonisolated(unsafe) let (loop, context) = (loop, context)
        let close = { @Sendable in
            pa_threaded_mainloop_stop(loop)
            pa_context_disconnect(context)
            pa_context_unref(context)
            pa_threaded_mainloop_free(loop)
        }
        // A callback may release the last reference. Its thread cannot stop itself.
        if isOnItsThread { DispatchQueue.global().async(execute: close) } else { close() }
    }

    /// `true` in a callback, which has the lock already.
    private var isOnItsThread: Bool { pa_threaded_mainloop_in_thread(loop) != 0 }

    func locked<Result>(_ body: () -> Result) -> Result {
        if isOnItsThread { return body() }
        pa_threaded_mainloop_lock(loop)
        defer { pa_threaded_mainloop_unlock(loop) }
        return body()
    }

    // MARK: Under the lock

    /// `true` while the server is connected.
    var isReady: Bool { pa_context_get_state(context) == PA_CONTEXT_READY }

    /// Releases the lock until the next `signal`.
    func wait() { pa_threaded_mainloop_wait(loop) }

    /// Wakes the threads that wait.
    func signal() { pa_threaded_mainloop_signal(loop, 0) }
}
#endif
