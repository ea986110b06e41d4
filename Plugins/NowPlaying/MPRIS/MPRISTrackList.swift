import DBus
import Playback

/// `org.mpris.MediaPlayer2.TrackList`: the queue, read-only. Controls can jump to its items.
@MainActor
struct MPRISTrackList {
    unowned let center: NowPlayingCenter

    static let name = "org.mpris.MediaPlayer2.TrackList"

    var interface: DBusInterface {
        DBusInterface(
            name: Self.name,
            methods: [
                DBusMethod(
                    name: "GetTracksMetadata", arguments: ["TrackIds": "ao"], results: ["Metadata": "aa{sv}"]
                ) { [metadata(of: $0[0].elements)] },
                DBusMethod("AddTrack", ["Uri": "s", "AfterTrack": "o", "SetAsCurrent": "b"]) { _ in },
                DBusMethod("RemoveTrack", ["TrackId": "o"]) { _ in },
                DBusMethod("GoTo", ["TrackId": "o"]) { arguments in
                    guard let index = tracks.firstIndex(of: arguments[0]) else { return }
                    center.activeSession?.queue?.jump(toItemAt: index)
                },
            ],
            properties: [
                DBusProperty(name: "Tracks", type: "ao", changeSignal: .invalidation) { .array(of: "o", tracks) },
                DBusProperty(name: "CanEditTracks", type: "b") { .bool(false) },
            ],
            signals: [
                ("TrackListReplaced", ["Tracks": "ao", "CurrentTrack": "o"]),
                ("TrackAdded", ["Metadata": "a{sv}", "AfterTrack": "o"]),
                ("TrackRemoved", ["TrackId": "o"]),
                ("TrackMetadataChanged", ["TrackId": "o", "Metadata": "a{sv}"]),
            ])
    }

    private var items: [PlayerItem] { center.activeSession?.queue?.nowPlayingItems ?? [] }

    var tracks: [DBusValue] { items.map { .track($0.id.uuidString) } }

    /// The metadata of those tracks that are in the queue, in the given order.
    private func metadata(of tracks: [DBusValue]) -> DBusValue {
        let known = Dictionary(items.map { (DBusValue.track($0.id.uuidString).string, $0) }) { first, _ in first }
        let current = center.info
        let metadata = tracks.compactMap { known[$0.string] }.map { item in
            let info = NowPlayingInfo(item)
            return DBusValue.metadata(info.contentIdentifier == current.contentIdentifier ? current : info)
        }
        return .array(of: "a{sv}", metadata)
    }
}

extension NowPlayingInfo {
    fileprivate init(_ item: PlayerItem) {
        self.init(
            title: item.metadata.title, artist: item.metadata.artist, albumTitle: item.metadata.album,
            artworkURL: item.metadata.artworkURL)
        url = item.url
        contentIdentifier = item.id.uuidString
    }
}
