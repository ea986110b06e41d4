#if VLC
import FlowplayerSDK
import Foundation

/// The tables of `Docs/ErrorTables.md`.
struct FaultDocument {
    private static let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../Docs/ErrorTables.md").standardized

    private var text: String

    init() throws { text = try String(contentsOf: Self.file, encoding: .utf8) }

    /// The table between two marks.
    subscript(_ name: String) -> String {
        get throws { String(text[try part(name)]) }
    }

    /// Replaces a table, and writes the document.
    mutating func replace(_ name: String, with table: String) throws {
        text.replaceSubrange(try part(name), with: table)
        try Data(text.utf8).write(to: Self.file)
    }

    /// `true` if the document says that the fault ends with a timeout.
    func isTimeout(_ cell: FaultMatrix.Cell) -> Bool { ending(of: cell).contains("timedOut") }

    /// The end of a fault with libVLC, without stalls and times.
    func ending(of cell: FaultMatrix.Cell) -> String {
        let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(cell.fault.plan)`: ") }
        let column = FaultRun.Media.allCases.firstIndex(of: cell.media)
        guard let row, let column else { return "" }
        // Before the first bar is nothing, after it is the fault.
        let cells = row.split(separator: "|", omittingEmptySubsequences: false)
        guard cells.indices.contains(column + 2) else { return "" }
        return cells[column + 2].trimmingCharacters(in: .whitespaces).replacing(#/, `buffer`| \(\d+\.\d s\)/#, with: "")
    }

    private func part(_ name: String) throws -> Range<String.Index> {
        guard let start = text.range(of: "<!-- \(name) -->\n"),
            let end = text.range(of: "\n<!-- end of \(name) -->")
        else { throw CocoaError(.formatting) }
        return start.upperBound..<end.lowerBound
    }
}
#endif
