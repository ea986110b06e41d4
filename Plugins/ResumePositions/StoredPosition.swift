import Foundation
import Playback

/// The position of an item, which is the content of its file.
struct StoredPosition: Codable, Equatable {
    /// An item in its first seconds starts at its beginning.
    private static let shortest = 5.0
    /// The rest of an item that counts as its end, in seconds.
    private static let rest = 5.0...300
    /// The part of an item that counts as its end.
    private static let restFraction = 0.05

    /// The address without user, password, query and fragment.
    let address: String
    /// In seconds.
    let position: Double
    /// In seconds; `nil` if it is unknown.
    let duration: Double?

    init(url: URL, position: Double, duration: Double?) {
        address = url.positionAddress
        self.position = position
        self.duration = duration
    }

    /// `true` if a viewer would want to resume here.
    var isWorthKeeping: Bool {
        guard position >= Self.shortest else { return false }
        guard let duration else { return true }
        let rest = min(max(duration * Self.restFraction, Self.rest.lowerBound), Self.rest.upperBound)
        return position < duration - rest
    }
}

extension URL {
    /// The address that identifies an item: without secrets, and with a path that has no `..`.
    var positionAddress: String { standardized.redacted }

    /// The name of the item's file.
    var positionFileName: String { positionAddress.positionFileName }
}

extension String {
    /// The name of the file of an address: its FNV-1a hash.
    var positionFileName: String {
        let hash = utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + ".json"
    }
}
