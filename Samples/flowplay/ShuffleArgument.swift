import Foundation

/// `--shuffle 7` and `--shuffle=7` as the parser understands them, which knows no option with or without a value.
enum ShuffleArgument {
    static func spellOut(
        _ arguments: [String], fileExists: (String) -> Bool = FileManager.default.fileExists(atPath:)
    ) -> [String] {
        var result: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" { return result + [argument] + rest }
            let value =
                argument.hasPrefix("--shuffle=")
                ? String(argument.dropFirst("--shuffle=".count))
                : argument == "--shuffle" ? rest.first.flatMap { isSeed($0) && !fileExists($0) ? $0 : nil } : nil
            guard let value else {
                result.append(argument)
                continue
            }
            if argument == "--shuffle" { rest.removeFirst() }
            result += ["--shuffle", "--shuffle-seed", value]
        }
        return result
    }

    private static func isSeed(_ text: String) -> Bool { UInt64(text) != nil }
}
