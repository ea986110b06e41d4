// libVLC's list player, over PulseAudio. It is a peer of the queue.
// usage: queue-peer FILE...
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
#include <vlc/vlc.h>

static atomic_int is_over;

static void on_end(const libvlc_event_t *event, void *context) {
    (void)event, (void)context;
    atomic_store(&is_over, 1);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    const char *options[] = {"--quiet", "--no-video", "--no-lua", "--aout=pulse"};
    libvlc_instance_t *vlc = libvlc_new(sizeof options / sizeof *options, options);
    if (!vlc) return 1;
    libvlc_media_list_t *list = libvlc_media_list_new(vlc);
    for (int index = 1; index < argc; index++) {
        libvlc_media_t *media = libvlc_media_new_path(vlc, argv[index]);
        libvlc_media_list_add_media(list, media);
        libvlc_media_release(media);
    }
    libvlc_media_list_player_t *player = libvlc_media_list_player_new(vlc);
    libvlc_media_list_player_set_media_list(player, list);
    libvlc_event_attach(libvlc_media_list_player_event_manager(player), libvlc_MediaListPlayerPlayed, on_end, NULL);
    libvlc_media_list_player_play(player);
    while (!atomic_load(&is_over)) usleep(100000);
    return 0;
}
