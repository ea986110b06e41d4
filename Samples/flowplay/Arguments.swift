import ArgumentParser
import Foundation

/// A file or an address that an argument names. An existing file has priority over an address.
struct MediaArgument: Equatable {
    /// The argument `-`.
    static let standardInput = MediaArgument()

    let url: URL
    private let isStandardInput: Bool

    private init() {
        url = URL(filePath: "/dev/stdin")
        isStandardInput = true
    }

    /// - Parameter fileExists: returns `true` if there is a file at a path.
    init(_ argument: String, fileExists: (String) -> Bool = FileManager.default.fileExists(atPath:)) throws {
        if argument.isEmpty { throw ValidationError("The argument is empty. Name a file or an address.") }
        isStandardInput = false
        let hasScheme = argument.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.\-]+:/) != nil
        guard hasScheme, !fileExists(argument) else {
            url = Self.fileURL(argument)
            return
        }
        url = try Self.address(argument)
    }

    /// Reads an address.
    static func address(_ argument: String) throws -> URL {
        guard let url = URL(string: argument) else { throw ValidationError("\(argument) is not a valid address.") }
        if url.isFileURL, let host = url.host(), !["", "localhost"].contains(host) {
            throw ValidationError(
                "\(argument) names the server \(host). Write file:/// and the path, or only the path.")
        }
        guard ["http", "https"].contains(url.scheme?.lowercased()) else { return url }
        if (url.host() ?? "").isEmpty { throw ValidationError("\(argument) names no server.") }
        if let port = url.port, !(1...65535).contains(port) {
            throw ValidationError("There is no port \(port). The largest is 65535.")
        }
        return url
    }

    /// Reads an argument that may be `-`.
    static func orStandardInput(_ argument: String) throws -> Self {
        argument == "-" ? .standardInput : try Self(argument)
    }

    /// The name for messages and the status line.
    var name: String { url.shortName }

    /// Keeps each byte of the path. `~` and `%` have no special meaning.
    private static func fileURL(_ path: String) -> URL {
        let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return URL(filePath: absolute)
    }
}

/// A header field that an argument names, as in `Name: value`.
struct HeaderArgument: Equatable {
    let name: String
    let value: String

    init(_ argument: String) throws {
        let parts = argument.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        // The argument may be a secret, so the message does not repeat it.
        guard parts.count == 2, !parts[0].isEmpty else {
            throw ValidationError("A header field has the form 'Name: value'.")
        }
        guard !argument.contains(where: \.isNewline) else {
            throw ValidationError("The header field \(parts[0]) has a line break. Remove it.")
        }
        (name, value) = (parts[0], parts[1])
    }
}

extension URL {
    /// The last part of the path, or the host of an address without a path.
    var shortName: String {
        let last = lastPathComponent
        return last.isEmpty || last == "/" ? host() ?? absoluteString : last
    }
}

/// Prepares the arguments for the parser.
enum ArgumentList {
    /// `true` if flowplay shall print its short help.
    static func asksForHelp(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { ["-h", "--help"].contains($0) }
    }

    /// Rewrites `--help-all`, which is the parser's `--help`.
    static func showAllHelp(in arguments: [String]) -> [String] { arguments == ["--help-all"] ? ["--help"] : arguments }

    /// Rejects options with one hyphen, since the parser reads each letter of `-dash.mp4` as an option. One of them is `-h`.
    static func rejectShortOptions(in arguments: [String]) throws {
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.wholeMatch(of: /-[^-].*/) != nil {
            guard argument != "-h", Double(argument) == nil else { continue }
            throw ValidationError("There is no option \(argument). For a file of this name, write ./\(argument).")
        }
    }

    /// Rewrites `--shuffle 7` and `--shuffle=7` for the parser, which would take the file in `--shuffle a.mp3` as a seed.
    static func expandShuffle(
        in arguments: [String], fileExists: (String) -> Bool = FileManager.default.fileExists(atPath:)
    ) throws -> [String] {
        let options = arguments.prefix { $0 != "--" }
        var result: [String] = []
        for argument in options {
            if argument.hasPrefix("--shuffle=") {
                let seed = argument.dropFirst("--shuffle=".count)
                guard UInt64(seed) != nil else {
                    throw ValidationError("--shuffle takes no value, or a whole number, as in --shuffle=7.")
                }
                result += ["--shuffle", "--shuffle-seed", String(seed)]
            } else if result.last == "--shuffle", UInt64(argument) != nil, !fileExists(argument) {
                result += ["--shuffle-seed", argument]
            } else {
                result.append(argument)
            }
        }
        return result + arguments[options.endIndex...]
    }
}
