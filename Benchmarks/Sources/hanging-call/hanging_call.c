#define _GNU_SOURCE
#include "hanging_call.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

static volatile sig_atomic_t hangs;

static void hang(int number) { hangs = number; }

__attribute__((constructor)) static void prepare(void) { signal(SIGUSR1, hang); }

// The thread's name shows when the call starts to hang.
static void hang_if_asked(void) {
    if (hangs) prctl(PR_SET_NAME, "hangs");
    while (hangs) pause();
}

// Takes the place of libVLC's function, because it is in the program. The arguments and the result are integers or addresses.
#define FUNCTION(name)                                                                              \
    intptr_t name(intptr_t a, intptr_t b, intptr_t c) {                                             \
        hang_if_asked();                                                                            \
        return ((intptr_t(*)(intptr_t, intptr_t, intptr_t))dlsym(RTLD_NEXT, #name))(a, b, c);       \
    }

// The engine calls one of them at least once a second during playback.
FUNCTION(libvlc_media_get_stats)
FUNCTION(libvlc_media_player_get_length)
FUNCTION(libvlc_media_player_play)
FUNCTION(libvlc_media_player_set_pause)
FUNCTION(libvlc_media_player_set_time)
FUNCTION(libvlc_media_player_stop)
