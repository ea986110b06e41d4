// Loads a library with the first call of one of its functions. The functions that the package calls are defined with `LAZY`.
// Without the library they return 0.
#include <dlfcn.h>
#include <stdatomic.h>

typedef long (*lazy_function)(long, long, long, long, long, long);

static lazy_function lazy_load(const char *library, const char *name) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    return handle ? (lazy_function)dlsym(handle, name) : 0;
}

// The arguments of these functions are integers and pointers, at most six. On 64-bit Linux each has its own register, so one
// signature fits all. The symbols are hidden: libVLC's modules call the library itself.
#define LAZY(library, name)                                                                              \
    __attribute__((visibility("hidden"))) long name(long a, long b, long c, long d, long e, long f) {    \
        static _Atomic(lazy_function) loaded;                                                            \
        lazy_function function = atomic_load(&loaded);                                                   \
        if (!function) atomic_store(&loaded, function = lazy_load(library, #name));                      \
        return function ? function(a, b, c, d, e, f) : 0;                                                \
    }
