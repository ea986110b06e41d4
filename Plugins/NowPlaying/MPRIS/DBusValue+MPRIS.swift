import DBus
import Foundation
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
        let element = identifier.replacing(/[^A-Za-z0-9]/) { other in
            other.output.utf8.map { String(format: "_%02x", $0) }.joined()
        }
        return .objectPath("/swift_flowplayer/track/\(element)")
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
    var seconds: Double {
        if case .int64(let value) = self { Double(value) / 1_000_000 } else { 0 }
    }
}
