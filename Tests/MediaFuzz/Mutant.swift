import Foundation
import TestSupport

/// One damaged file, the same for a seed, a format and a number.
struct Mutant: Sendable {
    /// As in `mp4/17`, which with the seed is all that is needed to make it again.
    struct Name: Hashable, Sendable, CustomStringConvertible {
        let format: FuzzFormat
        let number: Int

        var description: String { "\(format.rawValue)/\(number)" }

        init(format: FuzzFormat, number: Int) { (self.format, self.number) = (format, number) }

        init?(_ text: String) {
            let parts = text.split(separator: "/").map(String.init)
            guard parts.count == 2, let format = FuzzFormat(rawValue: parts[0]), let number = Int(parts[1]) else {
                return nil
            }
            self.init(format: format, number: number)
        }
    }

    let name: Name
    let files: [String: Data]
    /// The mutations as a string.
    let story: String

    /// Where playback begins.
    var entry: String { files.keys.first { $0.hasSuffix(".m3u8") } ?? files.keys.sorted()[0] }

    init(_ name: Name, seed: UInt64, of whole: [String: Data]) {
        self.name = name
        let format = UInt64(FuzzFormat.allCases.firstIndex(of: name.format)!)
        var dice = Dice(seed: seed &* 1_000_003 &+ format &* 100_000_007 &+ UInt64(name.number))
        _ = dice.next()
        let file = whole.keys.sorted().randomElement(using: &dice)!
        let mutation = MediaMutation(Array(whole[file]!), dice) { name.format.shape(of: file, $0) }
        files = whole.merging([file: Data(mutation.bytes)]) { $1 }
        story = (whole.count > 1 ? "\(file): " : "") + mutation.story.joined(separator: ", ")
    }

    /// So many, all formats in turn.
    static func names(_ count: Int, of formats: [FuzzFormat]) -> [Name] {
        (0..<count).map { Name(format: formats[$0 % formats.count], number: $0 / formats.count) }
    }
}
