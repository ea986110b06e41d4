import Foundation
import Playback

/// Rewrites playlists, so that every address in them leads to the HLS proxy.
enum PlaylistRewriter {
    /// Tags that players do not need: addresses of keys, data and still images of the whole stream.
    private static let unusedTags = ["#EXT-X-SESSION-KEY", "#EXT-X-SESSION-DATA", "#EXT-X-I-FRAME-STREAM-INF"]

    private static let variantTag = "#EXT-X-STREAM-INF:"
    /// The tags in which engines look for addresses, and similar ones.
    private static let attributeTags = [variantTag, "#EXT-X-MEDIA:", "#EXT-X-KEY:", "#EXT-X-MAP:", "#EXT-X-START:"]

    /// Returns a playlist whose addresses are replaced.
    ///
    /// - Parameters:
    ///   - url: the address of the playlist.
    ///   - variants: the variants that stay in a master playlist; `nil` for all.
    ///   - keepsSubtitles: `false` to leave out the subtitles.
    ///   - address: returns the replacement of an absolute address.
    static func rewritten(
        _ playlist: String, at url: URL, variants: Set<URL>? = nil, keepsSubtitles: Bool = true,
        address: (URL, HLSProxySession.Kind) -> URL
    ) -> String {
        func replaced(_ text: String, _ kind: HLSProxySession.Kind) -> String? {
            URL(string: text, relativeTo: url).map { address($0.absoluteURL, kind).absoluteString }
        }
        func isOne(_ text: String, of variants: Set<URL>) -> Bool {
            URL(string: text, relativeTo: url).map { variants.contains($0.absoluteURL) } ?? false
        }
        var lines: [String] = []
        var isVariant = false
        for line in playlist.split(whereSeparator: \.isNewline).map({ $0.trimmingCharacters(in: .whitespaces) })
        where !line.isEmpty && !unusedTags.contains(where: line.begins) && !attributeTags.contains(line + ":") {
            if !line.begins(with: "#") {
                if isVariant, let variants, !isOne(line, of: variants) {
                    // Without its tag too. Tags that follow it are those of the variant.
                    if let tag = lines.lastIndex(where: { $0.begins(with: variantTag) }) { lines.remove(at: tag) }
                    isVariant = false
                    continue
                }
                guard let address = replaced(line, isVariant ? .playlist : .segment) else { continue }
                lines.append(address)
                isVariant = false
            } else if let tag = attributeTags.first(where: line.begins) {
                let kind: HLSProxySession.Kind = tag == "#EXT-X-MEDIA:" ? .playlist : .segment
                let list = String(line.unicodeScalars.dropFirst(tag.unicodeScalars.count))
                if !keepsSubtitles, HLSAttributes.values(list)["TYPE"] == "SUBTITLES" { continue }
                let attributes: [String] = HLSAttributes.list(list).compactMap { name, value in
                    guard name == "URI" else { return "\(name)=\(value)" }
                    let own = String(value.unicodeScalars.filter { $0 != "\"" })
                    // The address of a variant is on the next line.
                    return tag == variantTag ? nil : replaced(own, kind).map { "URI=\"\($0)\"" }
                }
                isVariant = tag == variantTag || isVariant
                lines.append(tag + attributes.joined(separator: ","))
            } else {
                lines.append(line)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension StringProtocol {
    /// Compares scalars, as engines do: a combining mark does not change the character before it.
    func begins(with beginning: String) -> Bool {
        unicodeScalars.starts(with: beginning.unicodeScalars)
    }
}
