// A minimal C program over libVLC that plays an address: the peer of the benchmark `network`.
// usage: network-peer URL SECONDS SEEK; plays for some seconds, then seeks to a position in seconds (0: no seek). It prints the
// time to the first frame, the time of the seek, the CPU time (in milliseconds), the threads and the memory (in MB).
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <vlc/vlc.h>

static atomic_long first_frame, sought, target;
static unsigned char *pixels;

static long now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

static long cpu_us(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static long status_field(const char *name) {
    char line[256];
    long value = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name))) value = atol(line + strlen(name) + 1);
    if (file) fclose(file);
    return value;
}

static void *lock(void *context, void **planes) {
    (void)context;
    *planes = pixels;
    return NULL;
}

static void display(void *context, void *picture) {
    (void)context, (void)picture;
    long none = 0;
    atomic_compare_exchange_strong(&first_frame, &none, now_us());
}

static unsigned format(void **context, char *chroma, unsigned *width, unsigned *height, unsigned *pitches, unsigned *lines) {
    (void)context;
    memcpy(chroma, "BGRA", 4);
    *pitches = *width * 4;
    *lines = *height;
    free(pixels);
    pixels = malloc((size_t)*pitches * *lines);
    return 1;
}

static void on_time(const libvlc_event_t *event, void *context) {
    (void)context;
    long none = 0, wanted = atomic_load(&target);
    // libVLC reports the target itself at once.
    if (wanted && event->u.media_player_time_changed.new_time > wanted)
        atomic_compare_exchange_strong(&sought, &none, now_us());
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const char *options[] = {"--quiet", "--no-xlib", "--no-lua", "--no-stats", "--no-osd", "--no-video-title-show",
                             "--no-metadata-network-access", "--aout=adummy"};
    libvlc_instance_t *instance = libvlc_new(sizeof options / sizeof *options, options);
    usleep(500000);
    long start = now_us(), cpu_start = cpu_us();
    libvlc_media_t *media = libvlc_media_new_location(instance, argv[1]);
    libvlc_media_add_option(media, ":avcodec-hw=none");
    libvlc_media_player_t *player = libvlc_media_player_new_from_media(media);
    libvlc_event_attach(libvlc_media_player_event_manager(player), libvlc_MediaPlayerTimeChanged, on_time, NULL);
    libvlc_audio_output_set(player, "adummy");
    libvlc_video_set_callbacks(player, lock, NULL, display, NULL);
    libvlc_video_set_format_callbacks(player, format, NULL);
    libvlc_media_player_play(player);
    usleep((useconds_t)(atof(argv[2]) * 1e6));
    double cpu = (cpu_us() - cpu_start) / 1e3, seek = 0;
    long threads = status_field("Threads:"), memory = status_field("VmRSS:");
    if (atof(argv[3]) > 0) {
        long seek_start = now_us();
        atomic_store(&target, (long)(atof(argv[3]) * 1e3));
        libvlc_media_player_set_time(player, atomic_load(&target));
        for (int round = 0; round < 10000 && !atomic_load(&sought); round++) usleep(1000);
        seek = (atomic_load(&sought) - seek_start) / 1e3;
    }
    printf("%.3f %.3f %.3f %ld %.1f\n", (atomic_load(&first_frame) - start) / 1e3, seek, cpu, threads, memory / 1024.0);
    fflush(stdout);
    _exit(0);
}
