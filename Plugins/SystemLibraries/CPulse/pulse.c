// libpulse needs 18 libraries. In most processes no function of it is called, so the loader shall not read them at start.
// Each function that the package calls is defined here, and loads libpulse with the first call. Without libpulse it returns 0.
#include <dlfcn.h>
#include <stdatomic.h>

typedef long (*function)(long, long, long, long, long, long);

static function load(const char *name) {
    void *library = dlopen("libpulse.so.0", RTLD_LAZY | RTLD_LOCAL);
    return library ? (function)dlsym(library, name) : 0;
}

// The arguments of all these functions are integers and pointers, at most six. On 64-bit Linux each has its own register, so
// one signature fits all. The symbols are hidden: libVLC's modules call libpulse itself.
#define LAZY(name)                                                                                       \
    __attribute__((visibility("hidden"))) long name(long a, long b, long c, long d, long e, long f) {    \
        static _Atomic(function) loaded;                                                                 \
        function call = atomic_load(&loaded);                                                            \
        if (!call) atomic_store(&loaded, call = load(#name));                                            \
        return call ? call(a, b, c, d, e, f) : 0;                                                        \
    }

LAZY(pa_context_connect)
LAZY(pa_context_disconnect)
LAZY(pa_context_get_module_info_list)
LAZY(pa_context_get_sink_info_by_name)
LAZY(pa_context_get_sink_input_info_list)
LAZY(pa_context_get_state)
LAZY(pa_context_new)
LAZY(pa_context_set_sink_input_mute)
LAZY(pa_context_set_state_callback)
LAZY(pa_context_unref)
LAZY(pa_operation_cancel)
LAZY(pa_operation_get_state)
LAZY(pa_operation_unref)
LAZY(pa_proplist_free)
LAZY(pa_proplist_gets)
LAZY(pa_proplist_new)
LAZY(pa_proplist_sets)
LAZY(pa_stream_connect_playback)
LAZY(pa_stream_cork)
LAZY(pa_stream_disconnect)
LAZY(pa_stream_get_device_name)
LAZY(pa_stream_get_index)
LAZY(pa_stream_get_latency)
LAZY(pa_stream_get_state)
LAZY(pa_stream_is_corked)
LAZY(pa_stream_new_with_proplist)
LAZY(pa_stream_proplist_update)
LAZY(pa_stream_set_event_callback)
LAZY(pa_stream_set_latency_update_callback)
LAZY(pa_stream_set_moved_callback)
LAZY(pa_stream_set_state_callback)
LAZY(pa_stream_set_write_callback)
LAZY(pa_stream_unref)
LAZY(pa_stream_writable_size)
LAZY(pa_stream_write)
LAZY(pa_threaded_mainloop_free)
LAZY(pa_threaded_mainloop_get_api)
LAZY(pa_threaded_mainloop_lock)
LAZY(pa_threaded_mainloop_new)
LAZY(pa_threaded_mainloop_signal)
LAZY(pa_threaded_mainloop_start)
LAZY(pa_threaded_mainloop_stop)
LAZY(pa_threaded_mainloop_unlock)
LAZY(pa_threaded_mainloop_wait)
