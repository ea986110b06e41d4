#if VLC
    import Foundation
    import Playback

    /// The playlists that libVLC is given: every address in them leads to the gateway.
    enum HLSEntrance {
        /// What a player has no use for: addresses of keys, notes and stills for all of a stream.
        private static let idleTags = ["#EXT-X-SESSION-KEY", "#EXT-X-SESSION-DATA", "#EXT-X-I-FRAME-STREAM-INF"]

        /// What stands for the playlist of a stream: a master playlist.
        static func text(for stream: HLSStream, lane: HLSLane) -> String {
            guard case .master? = HLSPlaylist(stream.playlist, url: stream.url) else {
                return text(for: stream.url, lane: lane)
            }
            return rewritten(stream.playlist, at: stream.url) { lane.address(of: $0, $1) }
        }

        /// What stands for a playlist of segments.
        static func text(for segments: URL, lane: HLSLane) -> String {
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(lane.address(of: segments, .playlist).absoluteString)\n"
        }

        /// A playlist with other addresses in place of its own.
        ///
        /// - Parameters:
        ///   - url: where it came from.
        ///   - address: what stands for an address, which is whole.
        static func rewritten(_ playlist: String, at url: URL, address: (URL, HLSLane.Kind) -> URL) -> String {
            func replaced(_ text: some StringProtocol, _ kind: HLSLane.Kind) -> String? {
                URL(string: String(text), relativeTo: url).map { address($0.absoluteURL, kind).absoluteString }
            }
            var lines: [String] = []
            var isVariant = false
            for line in playlist.split(whereSeparator: \.isNewline).map({ $0.trimmingCharacters(in: .whitespaces) })
            where !idleTags.contains(where: line.hasPrefix) {
                if !line.hasPrefix("#") {
                    if let address = replaced(line, isVariant ? .playlist : .segment) { lines.append(address) }
                    isVariant = false
                } else if let match = line.firstMatch(of: /URI="([^"]*)"/) {
                    let kind: HLSLane.Kind = line.hasPrefix("#EXT-X-MEDIA:") ? .playlist : .segment
                    guard let address = replaced(match.1, kind) else { continue }
                    lines.append(line.replacingCharacters(in: match.range, with: "URI=\"\(address)\""))
                } else {
                    isVariant = isVariant || line.hasPrefix("#EXT-X-STREAM-INF")
                    lines.append(line)
                }
            }
            return lines.joined(separator: "\n") + "\n"
        }
    }
#endif
