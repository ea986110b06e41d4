import ArgumentParser
import Foundation

/// A file or an address that an argument names. An existing file has priority over an address.
struct MediaArgument: Equatable {
    let url: URL
    /// The name for messages and the status line.
    let name: String

    /// - Parameter fileExists: returns `true` if there is a file at a path.
    init(_ argument: String, fileExists: (String) -> Bool = FileManager.default.fileExists(atPath:)) throws {
        let hasScheme = argument.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.\-]+:/) != nil
        guard hasScheme, !fileExists(argument) else {
            url = Self.fileURL(argument)
            name = url.lastPathComponent
            return
        }
        guard let url = URL(string: argument) else {
            throw ValidationError("\(argument) is not a valid address.")
        }
        self.url = url
        let last = url.lastPathComponent
        name = last.isEmpty || last == "/" ? url.host() ?? argument : last
    }

    /// Keeps each byte of the path. `~` and `%` have no special meaning.
    private static func fileURL(_ path: String) -> URL {
        let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return URL(filePath: absolute)
    }
}

/// Prepares the arguments for the parser.
enum ArgumentList {
    /// Rejects options with one hyphen, since the parser reads each letter of `-dash.mp4` as an option. One of them is `-h`.
    static func rejectShortOptions(in arguments: [String]) throws {
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.wholeMatch(of: /-[^-].*/) != nil {
            guard argument != "-h", Double(argument) == nil else { continue }
            throw ValidationError("There is no option \(argument). For a file of this name, write ./\(argument).")
        }
    }

    /// Rewrites `--shuffle 7` and `--shuffle=7` for the parser, which does not support options with an optional value.
    static func expandShuffle(
        in arguments: [String], fileExists: (String) -> Bool = FileManager.default.fileExists(atPath:)
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
