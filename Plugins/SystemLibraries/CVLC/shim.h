#include <vlc/vlc.h>
// The C library's own module leaves this out, with its structure.
typedef struct {
    const char *path;
    void *base;
    const char *symbol;
    void *address;
} flowplayer_library;
extern int flowplayer_find_library(const void *address, flowplayer_library *library) __asm__("dladdr");
