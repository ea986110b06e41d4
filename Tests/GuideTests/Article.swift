import Foundation

/// An article of the documentation, with the code that it shows.
struct Article {
    private let blocks: [(language: String, lines: [String])]

    /// The folder of the guides that are read outside of the catalogue.
    static let guides = root.appending(path: "Docs")
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    private static let catalogue = root.appending(path: "Sources/FlowplayerSDK/FlowplayerSDK.docc")

    /// The names of all articles, with the folders that they are in.
    static var names: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: catalogue.path())
                .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
        }
    }

    init(_ name: String, in folder: URL = catalogue) throws {
        let text = try String(contentsOf: folder.appending(path: name + ".md"), encoding: .utf8)
        var blocks: [(language: String, lines: [String])] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInside.toggle()
                if isInside { blocks.append((String(line.dropFirst(3)), [])) }
            } else if isInside {
                blocks[blocks.count - 1].lines.append(String(line))
            }
        }
        guard !isInside else { throw UnfinishedBlock(article: name) }
        self.blocks = blocks
    }

    /// A block of code has no end.
    struct UnfinishedBlock: Error {
        let article: String
    }

    /// The blocks in a language, line by line.
    func blocks(_ language: String) -> [[String]] { blocks.filter { $0.language == language }.map(\.lines) }

    /// The lines of a source file of this package.
    static func source(_ path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
