import Foundation
import Playback

/// The position of an item.
struct StoredPosition {
    /// An item in its first seconds starts at its beginning.
    private static let shortest = 5.0
    /// The rest of an item that counts as its end, in seconds.
    private static let rest = 5.0...300
    /// The part of an item that counts as its end.
    private static let restFraction = 0.05

    let url: URL
    /// In seconds.
    let position: Double
    /// In seconds; `nil` if it is unknown.
    let duration: Double?

    /// `true` if a viewer would want to resume here.
    var isWorthKeeping: Bool {
        guard position >= Self.shortest else { return false }
        guard let duration else { return true }
        let rest = min(max(duration * Self.restFraction, Self.rest.lowerBound), Self.rest.upperBound)
        return position < duration - rest
    }

    /// The contents of the file.
    var entry: PositionEntry { PositionEntry(address: url.positionAddress, position: position, duration: duration) }
}

/// The contents of a file.
struct PositionEntry: Codable, Equatable {
    /// The address without user, password, query and fragment.
    let address: String
    /// In seconds.
    let position: Double
    /// In seconds; `nil` if it is unknown.
    let duration: Double?
}

extension URL {
    /// The address that identifies an item: without secrets, and with a path that has no `..`.
    var positionAddress: String { standardized.redacted }

    /// The name of the item's file: the FNV-1a hash of its address.
    var positionFileName: String {
        let hash = positionAddress.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + ".json"
    }
}
