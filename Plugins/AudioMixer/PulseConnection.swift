#if VLC
import CPulse

/// A connection to the sound server that the environment names, with a thread of libpulse's own.
///
/// Everything of libpulse is called with its lock, which its thread has while it calls back.
// Unchecked: both pointers are only read.
package final class PulseConnection: @unchecked Sendable {
    package let context: OpaquePointer
    package let loop: OpaquePointer

    /// `nil` if no server accepts the connection.
    ///
    /// - Parameter name: the client name that the server shows. The server remembers volumes by it.
    package init?(name: String) {
        guard let loop = pa_threaded_mainloop_new() else { return nil }
        guard let context = pa_context_new(pa_threaded_mainloop_get_api(loop), name) else {
            pa_threaded_mainloop_free(loop)
            return nil
        }
        (self.loop, self.context) = (loop, context)
        pa_context_set_state_callback(
            context, { _, loop in pa_threaded_mainloop_signal(.init(loop), 0) }, .init(loop))
        guard pa_context_connect(context, nil, PA_CONTEXT_NOFLAGS, nil) >= 0 else { return nil }
        guard pa_threaded_mainloop_start(loop) >= 0 else { return nil }
        let isReady = locked {
            while state.isUnderWay { wait() }
            return isThere
        }
        if !isReady { return nil }
    }

    deinit {
        pa_threaded_mainloop_stop(loop)
        pa_context_disconnect(context)
        pa_context_unref(context)
        pa_threaded_mainloop_free(loop)
    }

    private var state: pa_context_state_t { pa_context_get_state(context) }

    /// Whether the server is still there. With the lock.
    package var isThere: Bool { state == PA_CONTEXT_READY }

    package func locked<Result>(_ body: () -> Result) -> Result {
        pa_threaded_mainloop_lock(loop)
        defer { pa_threaded_mainloop_unlock(loop) }
        return body()
    }

    /// Lets go of the lock until somebody signals. With the lock.
    package func wait() { pa_threaded_mainloop_wait(loop) }

    /// Wakes those who wait. With the lock.
    package func signal() { pa_threaded_mainloop_signal(loop, 0) }

    /// Asks something, and waits for the answer. With the lock.
    ///
    /// - Parameter ask: begins to ask. It is given what has to reach the callback.
    /// - Returns: whether it was answered.
    package func ask(_ answer: PulseAnswer, _ ask: (UnsafeMutableRawPointer) -> OpaquePointer?) -> Bool {
        guard let operation = ask(Unmanaged.passUnretained(answer).toOpaque()) else { return false }
        while isThere, pa_operation_get_state(operation) == PA_OPERATION_RUNNING { wait() }
        let isAnswered = pa_operation_get_state(operation) == PA_OPERATION_DONE
        pa_operation_cancel(operation)
        pa_operation_unref(operation)
        return isAnswered
    }
}

extension pa_context_state_t {
    fileprivate var isUnderWay: Bool {
        [PA_CONTEXT_UNCONNECTED, PA_CONTEXT_CONNECTING, PA_CONTEXT_AUTHORIZING, PA_CONTEXT_SETTING_NAME]
            .contains(self)
    }
}
#endif
