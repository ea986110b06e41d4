import ArgumentParser
import Foundation

/// A file with options, one a line: `volume = 50`, `alang = de,en`, `mute`.
enum ConfigFile {
    /// The options that only the command line has.
    private static let reserved = ["config", "no-config", "engines", "help", "help-all", "version"]
    /// The arguments with which no file is read.
    private static let skipping = [
        "--no-config", "--help-all", "--version", "--experimental-dump-help", "--generate-completion-script",
    ]

    /// Puts the options of the configuration file before the arguments. The parser takes the last value of an option.
    ///
    /// The file is the one of `--config`, or the default one if it exists. With `--no-config` there is none.
    ///
    /// - Parameter environment: has the folder of the default file: `XDG_CONFIG_HOME` or `HOME`.
    /// - Throws: `ValidationError`, which names the file and the line.
    static func expand(
        _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> [String] {
        let options = arguments.prefix { $0 != "--" }
        guard !options.contains(where: { skipping.contains($0) }) else { return arguments }
        if let named = path(in: options) { return try self.arguments(in: named) + arguments }
        let file = defaultFile(environment)
        guard FileManager.default.fileExists(atPath: file) else { return arguments }
        return try self.arguments(in: file) + arguments
    }

    /// The file of the last `--config`; `nil` if there is none.
    private static func path(in options: ArraySlice<String>) -> String? {
        guard let index = options.lastIndex(where: { $0 == "--config" || $0.hasPrefix("--config=") }) else {
            return nil
        }
        guard options[index] == "--config" else { return String(options[index].dropFirst("--config=".count)) }
        // The parser reports that the file is missing.
        return index + 1 < options.endIndex ? options[index + 1] : nil
    }

    /// `flowplay/config` in the folder that `XDG_CONFIG_HOME` names, or in `~/.config`.
    static func defaultFile(_ environment: [String: String]) -> String {
        let named = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)
        return URL(filePath: named ?? home + "/.config").appending(path: "flowplay/config").path(percentEncoded: false)
    }

    private static func arguments(in file: String) throws -> [String] {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: file)) } catch {
            throw ValidationError("\(file) cannot be read. --config takes a file with one option a line.")
        }
        let lines = String(decoding: data, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return try lines.enumerated().flatMap { index, line in
            do { return try arguments(of: line) } catch {
                throw ValidationError("\(file):\(index + 1): \(Options.message(for: error))")
            }
        }
    }

    /// Returns the arguments of a line; none if it is empty.
    static func arguments(of line: Substring) throws -> [String] {
        // A `#` within a word belongs to a value.
        let text = line.replacing(/(^|\s)#.*/, with: "").trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmingCharacters(in: .whitespaces)
        guard !reserved.contains(name) else {
            throw ValidationError("\(name) is an option of the command line only.")
        }
        let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : nil
        var arguments = ["--\(name)" + (value.map { "=\($0)" } ?? "")]
        if let value, ["yes", "no"].contains(value), (try? parse(["--\(name)"])) != nil {
            arguments = value == "yes" ? ["--\(name)"] : []
        }
        try parse(arguments)
        return arguments
    }

    /// Checks the options of a line, without the items to play.
    @discardableResult
    private static func parse(_ arguments: [String]) throws -> Options {
        try Options.parse(["--engines"] + (try ArgumentList.expandShuffle(in: arguments)))
    }
}
