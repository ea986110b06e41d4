#if Systemd
import DBus
import Playback

extension DBusValue {
    /// A time in the unit of MPRIS, clamped to the range of the type.
    static func microseconds(_ seconds: Double) -> DBusValue {
        .int64(Int64(exactly: (seconds * 1_000_000).rounded()) ?? (seconds > 0 ? .max : 0))
    }

    /// The path of a track. Each identifier has its own path.
    static func track(_ identifier: String?) -> DBusValue {
        guard let identifier, !identifier.isEmpty else {
            return .objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack")
        }
        let element = identifier.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                String(UnicodeScalar(byte))
            default: "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return .objectPath("/swift_flowplayer/track/" + element.joined())
    }

    /// The metadata of a track.
    static func metadata(_ info: NowPlayingInfo) -> DBusValue {
        var values = ["mpris:trackid": track(info.contentIdentifier)]
        if let duration = info.playbackDuration, info.isLiveStream != true {
            values["mpris:length"] = microseconds(duration)
        }
        values["mpris:artUrl"] = (info.artworkURL?.absoluteString).map(string)
        values["xesam:title"] = info.title.map(string)
        values["xesam:artist"] = info.artist.map { strings([$0]) }
        values["xesam:album"] = info.albumTitle.map(string)
        values["xesam:url"] = info.url.map { string($0.isFileURL ? $0.absoluteString : $0.redacted) }
        return dictionary(values)
    }

    /// The seconds of a time in the unit of MPRIS.
    var seconds: Double { Double(int64 ?? 0) / 1_000_000 }
}
#endif
