import Foundation

/// A document of this package, with the code that it shows.
struct Article {
    private let blocks: [(language: String, lines: [String])]

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    private static let catalogue = "Sources/FlowplayerSDK/FlowplayerSDK.docc"

    /// The paths of all documents, from the package's folder.
    static let documents: [String] = {
        let folders = ["Docs", "Samples", catalogue].flatMap { folder in
            let paths = try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path())
            return (paths ?? []).map { "\(folder)/\($0)" }
        }
        return (folders + ["README.md", "KNOWN_ISSUES.md", "CONTRIBUTING.md"]).filter { $0.hasSuffix(".md") }.sorted()
    }()

    /// Reads a document. A name without a folder is an article of the catalogue.
    init(_ name: String) throws {
        let path = name.contains(".md") ? name : "\(Self.catalogue)/\(name).md"
        var blocks: [(language: String, lines: [String])] = []
        var isInside = false
        for line in try Self.source(path) {
            if line.hasPrefix("```") {
                isInside.toggle()
                if isInside { blocks.append((String(line.dropFirst(3)), [])) }
            } else if isInside {
                blocks[blocks.count - 1].lines.append(line)
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

    /// The package manifests that the document shows.
    var manifests: [[String]] { blocks("swift").filter { $0.first?.hasPrefix("// swift-tools-version") == true } }

    /// The Swift code that the document shows. A block of language `diff` is a host before and after, and only the one
    /// after is Swift for this package.
    var code: [[String]] {
        let hosts = blocks("diff").map { host in host.filter { !$0.hasPrefix("-") }.map { String($0.dropFirst()) } }
        return blocks("swift").filter { !manifests.contains($0) } + hosts
    }

    /// The lines of a file of this package.
    static func source(_ path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The Swift files of the tests and samples, which are compiled with this test. Their lines have no indentation.
    static let compiledSources = swiftFiles(in: ["Tests", "Samples"])

    /// The Swift files in folders of this package. Their lines have no indentation.
    static func swiftFiles(in folders: [String]) -> [String] {
        folders.flatMap { folder -> [String] in
            let paths = try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path())
            return (paths ?? []).filter { $0.hasSuffix(".swift") }.compactMap { path in
                (try? source("\(folder)/\(path)")).map(joined)
            }
        }
    }

    /// `true` if a compiled file contains these lines, with any indentation.
    static func isCompiled(_ block: [String]) -> Bool {
        let block = joined(block)
        return compiledSources.contains { $0.contains(block) }
    }

    private static func joined(_ lines: [String]) -> String {
        "\n" + lines.map { $0.trimmingCharacters(in: .whitespaces) + "\n" }.joined()
    }
}
