// libpulse, which is loaded with the first call: see pulse.c. The header is absent where the package is built without VLC.
#if __has_include(<pulse/pulseaudio.h>)
#include <pulse/pulseaudio.h>
#endif
