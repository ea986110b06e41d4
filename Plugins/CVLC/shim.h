#include <vlc/vlc.h>
// For malloc_trim and mallopt, which the C library's own module leaves out.
#include <malloc.h>
