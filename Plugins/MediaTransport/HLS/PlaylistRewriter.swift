#if VLC
import Foundation
import Playback

/// The playlists that libVLC is given: every address in them leads to the gateway.
package enum PlaylistRewriter {
    /// What a player has no use for: addresses of keys, notes and stills for all of a stream.
    private static let idleTags = ["#EXT-X-SESSION-KEY", "#EXT-X-SESSION-DATA", "#EXT-X-I-FRAME-STREAM-INF"]

    private static let variantTag = "#EXT-X-STREAM-INF:"
    /// Those that libVLC looks for addresses in, and their like.
    private static let attributeTags = [variantTag, "#EXT-X-MEDIA:", "#EXT-X-KEY:", "#EXT-X-MAP:", "#EXT-X-START:"]

    /// What stands for the playlist of a stream: a master playlist.
    package static func text(for stream: HLSStream, lane: HLSProxySession) -> String {
        guard case .master? = HLSPlaylist(stream.playlist, url: stream.url) else {
            return text(for: stream.url, lane: lane)
        }
        return rewritten(stream.playlist, at: stream.url) { lane.address(of: $0, $1) }
    }

    /// What stands for a playlist of segments.
    package static func text(for segments: URL, lane: HLSProxySession) -> String {
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(lane.address(of: segments, .playlist).absoluteString)\n"
    }

    /// A playlist with other addresses in place of its own.
    ///
    /// - Parameters:
    ///   - url: where it came from.
    ///   - address: what stands for an address, which is whole.
    package static func rewritten(_ playlist: String, at url: URL, address: (URL, HLSProxySession.Kind) -> URL)
        -> String
    {
        func replaced(_ text: String, _ kind: HLSProxySession.Kind) -> String? {
            URL(string: text, relativeTo: url).map { address($0.absoluteURL, kind).absoluteString }
        }
        var lines: [String] = []
        var isVariant = false
        for line in playlist.split(whereSeparator: \.isNewline).map({ $0.trimmingCharacters(in: .whitespaces) })
        where !line.isEmpty && !idleTags.contains(where: line.begins) && !attributeTags.contains(line + ":") {
            if !line.begins(with: "#") {
                guard let address = replaced(line, isVariant ? .playlist : .segment) else { continue }
                lines.append(address)
                isVariant = false
            } else if let tag = attributeTags.first(where: line.begins) {
                var attributes = attributes(String(line.unicodeScalars.dropFirst(tag.unicodeScalars.count)))
                if let place = attributes.firstIndex(where: { $0.name == "URI" }) {
                    let kind: HLSProxySession.Kind = tag == "#EXT-X-MEDIA:" ? .playlist : .segment
                    let own = String(attributes[place].value.unicodeScalars.filter { $0 != "\"" })
                    // A variant's address is on the next line.
                    let address = tag == variantTag ? nil : replaced(own, kind)
                    if let address {
                        attributes[place].value = "\"\(address)\""
                    } else {
                        attributes.remove(at: place)
                    }
                }
                isVariant = tag == variantTag || isVariant
                lines.append(tag + attributes.map { "\($0.name)=\($0.value)" }.joined(separator: ","))
            } else {
                lines.append(line)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What is well-formed in a list of section 4.2 of RFC 8216, each name once, up to what cannot be read: in anything else
    /// libVLC might find an address that is not seen here. It leaves out of names what does not belong there.
    private static func attributes(_ list: String) -> [(name: String, value: String)] {
        var rest = list[...]
        var attributes: [(name: String, value: String)] = []
        let form = /([^=,"]*)=("[^"]*"|[^",]*)[ \t]*(?:,|$)/.matchingSemantics(.unicodeScalar)
        let plain = /[A-Z-]+/.matchingSemantics(.unicodeScalar)
        while let match = rest.prefixMatch(of: form) {
            rest = rest[match.range.upperBound...]
            let name = match.1.trimmingCharacters(in: .whitespaces)
            guard name.wholeMatch(of: plain) != nil, !attributes.contains(where: { $0.name == name }) else {
                continue
            }
            // Without quotes libVLC takes the first character and the last of an address for them.
            guard name != "URI" || match.2.unicodeScalars.first == "\"" else { continue }
            attributes.append((name, String(match.2)))
        }
        return attributes
    }
}

extension String {
    /// By scalars, as libVLC sees it: a mark upon the last character of the beginning is no other character.
    fileprivate func begins(with beginning: String) -> Bool {
        unicodeScalars.starts(with: beginning.unicodeScalars)
    }
}
#endif
