#include <vlc/vlc.h>
// For malloc_trim, which the C library's own module leaves out.
#include <malloc.h>
