import Foundation

// The HTTP header fields of an item that are sent, and those that are refused.
extension PlayerItem {
    /// The fields that belong to a connection or to the player's own requests (RFC 9110, section 7.6.1), in lower case.
    private static let ownFields: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-authenticate",
        "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private var allHeaders: [String: String] {
        guard let userAgent else { return httpHeaders }
        return httpHeaders.filter { $0.key.lowercased() != "user-agent" }
            .merging(["User-Agent": userAgent]) { $1 }
    }

    /// The fields that are sent.
    package var sentHeaders: [String: String] { allHeaders.filter { Self.refusal(of: $0.key, $0.value) == nil } }

    /// The reasons why fields are not sent. Values are secret, so no message has one.
    var headerNotices: [PlaybackNotice] {
        allHeaders.sorted { $0.key < $1.key }.compactMap { Self.refusal(of: $0.key, $0.value) }
            .map { PlaybackNotice(code: "headerRefused", message: $0) }
    }

    private static func refusal(of name: String, _ value: String) -> String? {
        guard name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]+/) != nil else {
            return "A header field is not sent, because its name is invalid. Use letters, digits and hyphens."
        }
        if ownFields.contains(name.lowercased()) {
            return "The header field \(name) is not sent, because the player sets it. Remove it from httpHeaders."
        }
        let isValid = value.unicodeScalars.allSatisfy { $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F }
        if isValid { return nil }
        return "The header field \(name) is not sent, because its value has a line break. Remove the line break."
    }
}
