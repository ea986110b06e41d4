/// Changes bytes at random, but the same each time for a seed: what parsers are given that never trap.
public struct Mutator: Sendable {
    /// Where everything random comes from.
    public var dice: Dice
    private let pieces: [[UInt8]]

    /// - Parameter pieces: strings to insert, because random bytes would hardly produce them.
    public init(seed: UInt64, pieces: [String] = []) {
        dice = Dice(seed: seed)
        self.pieces = pieces.map { Array($0.utf8) }
    }

    /// One of some inputs that are right, changed in up to eight places.
    public mutating func mutant(of originals: [[UInt8]]) -> [UInt8] {
        var bytes = originals.randomElement(using: &dice) ?? []
        for _ in 0..<Int.random(in: 0...8, using: &dice) { change(&bytes) }
        return bytes
    }

    /// The same for strings, which stay UTF-8.
    public mutating func mutant(of originals: [String]) -> String {
        String(decoding: mutant(of: originals.map { Array($0.utf8) }), as: UTF8.self)
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &dice)
        let end = min(bytes.count, place + Int.random(in: 0...12, using: &dice))
        switch Int.random(in: 0..<7, using: &dice) {
        case 0: bytes.removeSubrange(place..<end)
        case 1: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &dice))
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &dice), at: place)
        case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        case 4 where place < bytes.count: bytes[place] = Self.extremes.randomElement(using: &dice) ?? 0
        case 5: replaceNumber(in: &bytes, at: place)
        default: bytes.insert(contentsOf: pieces.randomElement(using: &dice) ?? [], at: place)
        }
    }

    /// Puts an extreme number in the place of the next one.
    private mutating func replaceNumber(in bytes: inout [UInt8], at place: Int) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: Self.numbers.randomElement(using: &dice) ?? [])
    }

    private static let numbers = [
        "0", "-1", "65536", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "1e18", "1e400", "1e-320", "nan", "inf", "0x1p9", "0000000000000000000000001", "٣",
    ].map { Array($0.utf8) }

    private static let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF] + Array("09-.\n".utf8)
}
