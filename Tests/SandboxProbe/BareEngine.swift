#if VLC
import CVLC
import Foundation
import MediaTransport

/// Lets libVLC play an item and everything that it names, without the protections of `LibVLCBackend`. Returns after the last of it.
///
/// - Parameter out: a file to which libVLC writes what it plays.
func playWithoutProtections(_ item: URL, writingTo out: String?) {
    let file = Sandbox.host?.open(item) ?? -1
    let texts = ["--aout=adummy", "--no-video"]
    let options = texts.map { UnsafePointer(strdup($0)) }
    guard file >= 0, let engine = libvlc_new(Int32(options.count), options),
        let media = libvlc_media_new_fd(engine, file)
    else { return }
    if let out { libvlc_media_add_option(media, ":sout=#std{access=file,mux=ts,dst=\(out)}") }
    play(media)
    guard let named = libvlc_media_subitems(media) else { return }
    for index in 0..<libvlc_media_list_count(named) {
        libvlc_media_list_item_at_index(named, index).map { play($0) }
    }
}

private func play(_ media: OpaquePointer) {
    let player = libvlc_media_player_new_from_media(media)
    let end = DispatchSemaphore(value: 0)
    for event in [libvlc_MediaPlayerEndReached, libvlc_MediaPlayerEncounteredError] {
        libvlc_event_attach(
            libvlc_media_player_event_manager(player), libvlc_event_type_t(event.rawValue),
            { Unmanaged<DispatchSemaphore>.fromOpaque($1!).takeUnretainedValue().signal() },
            Unmanaged.passRetained(end).toOpaque())
    }
    libvlc_media_player_play(player)
    end.wait()
    libvlc_media_player_release(player)
}
#endif
