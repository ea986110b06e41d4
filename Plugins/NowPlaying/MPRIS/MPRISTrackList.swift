#if Systemd
import DBus
import Playback

/// `org.mpris.MediaPlayer2.TrackList`: the queue, which others can see and jump in, and not change.
@MainActor
final class MPRISTrackList {
    private unowned let center: NowPlayingCenter
    private var told: [DBusValue] = []

    static let name = "org.mpris.MediaPlayer2.TrackList"

    init(center: NowPlayingCenter) { self.center = center }

    var interface: DBusInterface {
        let metadata = "a{sv}"
        return DBusInterface(
            Self.name,
            methods: [
                DBusMethod(
                    "GetTracksMetadata", [DBusArgument("TrackIds", "ao")],
                    gives: [DBusArgument("Metadata", "aa{sv}")]
                ) { [self] arguments throws(DBusError) in [self.metadata(of: arguments[0].elements)] },
                DBusMethod(
                    "AddTrack",
                    [DBusArgument("Uri", "s"), DBusArgument("AfterTrack", "o"), DBusArgument("SetAsCurrent", "b")]
                ) { _ throws(DBusError) in [] },
                DBusMethod("RemoveTrack", [DBusArgument("TrackId", "o")]) { _ throws(DBusError) in [] },
                DBusMethod("GoTo", [DBusArgument("TrackId", "o")]) { [self] arguments throws(DBusError) in
                    go(to: arguments[0])
                    return []
                },
            ],
            properties: [
                DBusProperty("Tracks", "ao", telling: .invalidation) { [self] in .array(of: "o", tracks) },
                DBusProperty("CanEditTracks", "b") { .bool(false) },
            ],
            signals: [
                DBusSignalKind(
                    "TrackListReplaced", [DBusArgument("Tracks", "ao"), DBusArgument("CurrentTrack", "o")]),
                DBusSignalKind(
                    "TrackAdded", [DBusArgument("Metadata", metadata), DBusArgument("AfterTrack", "o")]),
                DBusSignalKind("TrackRemoved", [DBusArgument("TrackId", "o")]),
                DBusSignalKind(
                    "TrackMetadataChanged", [DBusArgument("TrackId", "o"), DBusArgument("Metadata", metadata)]),
            ])
    }

    /// The arguments of `TrackListReplaced`, if the tracks are others than when this was asked last.
    func takeChange() -> [DBusValue]? {
        let now = tracks
        defer { told = now }
        return now == told ? nil : [.array(of: "o", now), .track(center.info.contentIdentifier)]
    }

    private var items: [PlayerItem] { center.activeSession?.queue?.nowPlayingItems ?? [] }

    private var tracks: [DBusValue] { items.map { .track($0.id.uuidString) } }

    /// Of the tracks that there are, in the order in which they are asked for.
    private func metadata(of tracks: [DBusValue]) -> DBusValue {
        let known = Dictionary(items.map { (DBusValue.track($0.id.uuidString).string, $0) }) { first, _ in first }
        let current = center.info
        let metadata = tracks.compactMap { known[$0.string] }.map { item in
            let info = NowPlayingInfo(item)
            return DBusValue.metadata(info.contentIdentifier == current.contentIdentifier ? current : info)
        }
        return .array(of: "a{sv}", metadata)
    }

    private func go(to track: DBusValue) {
        guard let index = tracks.firstIndex(of: track) else { return }
        center.activeSession?.queue?.jump(toItemAt: index)
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
#endif
