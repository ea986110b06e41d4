import Foundation

/// Reads PLS: `File1=`, `Title1=` and so on, in any order and with gaps.
enum PLSReader {
    static func read(_ text: PlaylistText, into builder: inout PlaylistBuilder) throws(PlaylistError) {
        var files: [Int: (line: Int, entry: String)] = [:]
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
                } else if let number = number(of: key, after: "file") {
                    if files[number] == nil {
                        files[number] = (line.number, value)
                    } else {
                        let reason = EntryRefusal("There are two entries with this number.")
                        builder.skip(value, line: line.number, because: reason)
                    }
                } else if key.hasPrefix("file") {
                    builder.skip(value, line: line.number, because: EntryRefusal("The entry has no number."))
                }
            }
        }
        guard hasHeader || !files.isEmpty else { throw PlaylistError(.unrecognised, url: builder.addresses.list) }
        for (number, file) in files.sorted(by: { $0.key < $1.key }) {
            guard builder.takesEntry(line: file.line) else { return }
            builder.add(file.entry, line: file.line, details: .init(title: titles[number]))
        }
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
