import Playback

// The information that the player itself provides.
extension NowPlayingSession {
    var ownInfo: NowPlayingInfo {
        guard let player else { return NowPlayingInfo() }
        let snapshot = player.snapshot
        let metadata = snapshot.metadata
        var info = NowPlayingInfo(
            title: metadata.title, artist: metadata.artist, albumTitle: metadata.album, artworkURL: metadata.artworkURL)
        info.url = snapshot.item?.url
        info.playbackDuration = snapshot.duration
        info.playbackRate = snapshot.rate
        info.isLiveStream = snapshot.playbackType == .live
        info.contentIdentifier = snapshot.item.map { $0.source?.id.uuidString ?? "load\($0.number)" }
        info.volume = snapshot.isMuted ? 0 : snapshot.volume
        info.playbackQueueIndex = queue?.nowPlayingIndex
        info.playbackQueueCount = queue?.nowPlayingItems.count
        info.repeatMode = queue?.repeatMode
        info.isShuffled = queue?.isShuffled
        return info
    }
}
