import ArgumentParser
import Foundation

/// What an argument names: a path first, an address where it has a scheme.
struct MediaArgument: Equatable {
    let url: URL
    /// What to show to people.
    let name: String

    /// - Parameter fileExists: whether there is something at a path.
    init(_ argument: String, fileExists: (String) -> Bool = FileManager.default.fileExists(atPath:)) throws {
        let hasScheme = argument.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.\-]+:/) != nil
        guard hasScheme, !fileExists(argument) else {
            url = Self.fileURL(argument)
            name = url.lastPathComponent
            return
        }
        guard let url = URL(string: argument) else {
            throw ValidationError("\(argument) is not an address that can be read.")
        }
        self.url = url
        let last = url.lastPathComponent
        name = last.isEmpty || last == "/" ? url.host() ?? argument : last
    }

    /// Byte for byte: a `~` or a `%` in a path is only a character.
    private static func fileURL(_ path: String) -> URL {
        let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return URL(filePath: absolute)
    }
}
