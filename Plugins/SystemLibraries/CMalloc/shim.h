// Functions that the C library's own module leaves out: malloc_trim and mallopt.
#include <malloc.h>
// And this one.
#include <sched.h>
extern int sched_getaffinity(pid_t process, size_t size, cpu_set_t *cores);
