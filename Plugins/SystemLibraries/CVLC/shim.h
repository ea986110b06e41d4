#include <vlc/vlc.h>
// For malloc_trim and mallopt, which the C library's own module leaves out.
#include <malloc.h>
// The C library's own module leaves this out too.
#include <sched.h>
extern int sched_getaffinity(pid_t process, size_t size, cpu_set_t *cores);
// And this one, with its structure.
typedef struct {
    const char *path;
    void *base;
    const char *symbol;
    void *address;
} flowplayer_library;
extern int flowplayer_find_library(const void *address, flowplayer_library *library) __asm__("dladdr");
