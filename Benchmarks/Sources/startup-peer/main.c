// A minimal player over libVLC, with the options that the backend uses. It is the peer of startup-player.
// usage: startup-peer FILE SECONDS WARM-UP   prints milliseconds to play and to the first frame, and of CPU time
// libVLC exists during the warm-up, which is in seconds.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <vlc/vlc.h>

static atomic_long first_frame, full_buffers;
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
    *height = 360;
    *pitches = *width * 4;
    *lines = *height;
    free(pixels);
    pixels = malloc((size_t)*pitches * *lines);
    return 1;
}

static void on_event(const libvlc_event_t *event, void *context) {
    (void)context;
    long none = 0;
    if (event->u.media_player_buffering.new_cache >= 100) atomic_compare_exchange_strong(&full_buffers, &none, now_us());
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const char *options[] = {"--quiet", "--no-xlib", "--no-lua", "--no-stats", "--no-osd", "--no-video-title-show",
                             "--no-metadata-network-access", "--aout=adummy"};
    long start = now_us(), cpu_start = cpu_us();
    libvlc_instance_t *instance = libvlc_new(sizeof options / sizeof *options, options);
    if (!instance) return 1;
    double warm_up = atof(argv[3]);
    if (warm_up > 0) {
        usleep((useconds_t)(warm_up * 1e6));
        start = now_us(), cpu_start = cpu_us();
    }
    libvlc_media_t *media = libvlc_media_new_path(instance, argv[1]);
    libvlc_media_add_option(media, ":avcodec-hw=none");
    libvlc_media_player_t *player = libvlc_media_player_new_from_media(media);
    libvlc_event_attach(libvlc_media_player_event_manager(player), libvlc_MediaPlayerBuffering, on_event, NULL);
    libvlc_audio_output_set(player, "adummy");
    libvlc_video_set_callbacks(player, lock, NULL, display, NULL);
    libvlc_video_set_format_callbacks(player, format, NULL);
    libvlc_media_player_play(player);
    usleep((useconds_t)(atof(argv[2]) * 1e6));
    double cpu = (cpu_us() - cpu_start) / 1e3;
    // A busy machine may need longer than the run.
    for (int tries = 0; tries < 600 && !(atomic_load(&first_frame) && atomic_load(&full_buffers)); tries++) usleep(100000);
    if (!atomic_load(&first_frame) || !atomic_load(&full_buffers)) return 1;
    printf("%.3f %.3f %.3f\n", (atomic_load(&full_buffers) - start) / 1e3, (atomic_load(&first_frame) - start) / 1e3, cpu);
    libvlc_media_player_stop(player);
    libvlc_media_player_release(player);
    libvlc_media_release(media);
    libvlc_release(instance);
    return 0;
}
