#include <vlc/vlc.h>
// For malloc_trim and mallopt, which the C library's own module leaves out.
#include <malloc.h>
// The C library's own module leaves this out too.
#include <sched.h>
extern int sched_getaffinity(pid_t process, size_t size, cpu_set_t *cores);
