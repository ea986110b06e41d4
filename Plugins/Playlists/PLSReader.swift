import Foundation

/// Reads PLS: `File1=`, `Title1=` and so on, in any order and with holes.
enum PLSReader {
    private struct File {
        let number: Int
        let line: Int
        let entry: String
    }

    static func read(_ text: PlaylistText, into builder: inout PlaylistBuilder) throws(PlaylistError) {
        var files: [Int: File] = [:]
        var titles: [Int: String] = [:]
        var isInList = true
        var hasHeader = false
        for line in text.lines where !line.isBlank {
            let content = line.repairedText
            if content.hasPrefix("[") {
                isInList = line.begins(with: "[playlist]")
                hasHeader = hasHeader || isInList
            } else if isInList, let (key, value) = pair(content) {
                if let number = number(of: key, after: "title") {
                    titles[number] = titles[number] ?? value
                } else if key.hasPrefix("file") {
                    read(value, key: key, line: line.number, into: &files, &builder)
                }
            }
        }
        guard hasHeader || !files.isEmpty else { throw PlaylistError(.unrecognised, url: builder.addresses.list) }
        for file in files.values.sorted(by: { $0.number < $1.number }) {
            guard builder.takesEntry(line: file.line) else { return }
            builder.add(file.entry, line: file.line, details: .init(title: titles[file.number]))
        }
    }

    private static func read(
        _ entry: String, key: String, line: Int, into files: inout [Int: File], _ builder: inout PlaylistBuilder
    ) {
        guard let number = number(of: key, after: "file") else {
            return builder.skip(entry, line: line, because: EntryRefusal("The entry has no number."))
        }
        guard files[number] == nil else {
            return builder.skip(entry, line: line, because: EntryRefusal("There are two entries with this number."))
        }
        files[number] = File(number: number, line: line, entry: entry)
    }

    private static func pair(_ content: String) -> (key: String, value: String)? {
        guard !content.hasPrefix(";"), !content.hasPrefix("#"), let equals = content.firstIndex(of: "=") else {
            return nil
        }
        let key = content[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
        return (key, content[content.index(after: equals)...].trimmingCharacters(in: .whitespaces))
    }

    private static func number(of key: String, after name: String) -> Int? {
        guard key.hasPrefix(name) else { return nil }
        let digits = key.dropFirst(name.count)
        return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
    }
}
