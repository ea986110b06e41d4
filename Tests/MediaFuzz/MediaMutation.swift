import TestSupport

/// Damages a file: flips bits, cuts, moves parts, and changes their lengths.
struct MediaMutation {
    private(set) var bytes: [UInt8]
    /// The mutation as a string.
    private(set) var story: [String] = []
    private var dice: Dice
    private let shape: ([UInt8]) -> MediaShape

    init(_ bytes: [UInt8], _ dice: Dice, shape: @escaping ([UInt8]) -> MediaShape) {
        self.bytes = bytes
        self.dice = dice
        self.shape = shape
        for _ in 0..<[1, 1, 1, 2, 3].randomElement(using: &self.dice)! { change() }
    }

    private mutating func change() {
        guard !bytes.isEmpty else { return }
        switch Int.random(in: 0..<10, using: &dice) {
        case 0...2: flip()
        case 3: overwrite()
        case 4: cut()
        case 5: swap()
        case 6: remove()
        case 7: duplicate()
        default: lie()
        }
    }

    /// Heads are short and matter most.
    private mutating func place() -> Int {
        let limit = Bool.random(using: &dice) ? min(bytes.count, 1024) : bytes.count
        return Int.random(in: 0..<limit, using: &dice)
    }

    private mutating func flip() {
        let count = [1, 4, 16, 64].randomElement(using: &dice)!
        for _ in 0..<count { bytes[place()] ^= 1 << UInt8.random(in: 0..<8, using: &dice) }
        story.append("\(count) bits flipped")
    }

    private mutating func overwrite() {
        let start = place()
        let end = min(bytes.count, start + Int.random(in: 1...64, using: &dice))
        let filling: UInt8? = [0, 0xFF, nil].randomElement(using: &dice)!
        for index in start..<end { bytes[index] = filling ?? UInt8.random(in: 0...255, using: &dice) }
        story.append("\(start)..<\(end) overwritten")
    }

    private mutating func cut() {
        let start = place()
        switch Int.random(in: 0..<3, using: &dice) {
        case 0:
            bytes.removeSubrange(start...)
            story.append("cut at \(start)")
        case 1:
            let end = min(bytes.count, start + Int.random(in: 1...2000, using: &dice))
            bytes.removeSubrange(start..<end)
            story.append("\(start)..<\(end) cut out")
        default:
            let count = Int.random(in: 1...64, using: &dice)
            bytes.removeFirst(min(count, bytes.count))
            story.append("\(count) bytes cut off in front")
        }
    }

    private mutating func part() -> MediaShape.Part? { shape(bytes).parts.randomElement(using: &dice) }

    private mutating func swap() {
        let parts = shape(bytes).parts
        guard let one = parts.randomElement(using: &dice)?.range, let two = parts.randomElement(using: &dice)?.range,
            !one.overlaps(two)
        else { return flip() }
        let (first, second) = one.lowerBound < two.lowerBound ? (one, two) : (two, one)
        let moved = [
            0..<first.lowerBound, second, first.upperBound..<second.lowerBound, first, second.upperBound..<bytes.count,
        ]
        bytes = moved.flatMap { bytes[$0] }
        story.append("\(first) and \(second) swapped")
    }

    private mutating func remove() {
        guard let part = part() else { return flip() }
        bytes.removeSubrange(part.range)
        story.append("\(part.range) removed")
    }

    private mutating func duplicate() {
        guard let one = part(), let other = part() else { return flip() }
        bytes.insert(contentsOf: bytes[one.range], at: other.range.lowerBound)
        story.append("\(one.range) again at \(other.range.lowerBound)")
    }

    private mutating func lie() {
        guard let length = shape(bytes).parts.filter({ $0.length != nil }).randomElement(using: &dice)?.length else {
            return flip()
        }
        let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF]
        let isWhole = Bool.random(using: &dice)
        let value = extremes.randomElement(using: &dice)!
        let change = UInt8.random(in: 1...255, using: &dice)
        let places = isWhole ? Array(length) : [length.randomElement(using: &dice)!]
        for place in places where place < bytes.count {
            bytes[place] = Bool.random(using: &dice) ? value : bytes[place] &+ change
        }
        story.append("length at \(length) overwritten")
    }
}
