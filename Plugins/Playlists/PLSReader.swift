import Foundation
import Playback

/// Reads PLS: `File1=`, `Title1=` and so on, in any order and with gaps.
enum PLSReader {
    static func read(_ text: PlaylistText, into builder: inout PlaylistBuilder) throws(PlaylistError) {
        var files: [Int: PlaylistBuilder.Location] = [:]
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
                        files[number] = .init(text: value, line: line.number)
                    } else {
                        builder.report("There are two entries with this number.", value, line: line.number)
                    }
                } else if key.hasPrefix("file") {
                    builder.report("The entry has no number.", value, line: line.number)
                }
            }
        }
        guard hasHeader || !files.isEmpty else { throw PlaylistError(.unrecognised, url: builder.addresses.list) }
        for (number, file) in files.sorted(by: { $0.key < $1.key }) {
            guard builder.takesEntry(line: file.line) else { return }
            builder.add([file], MediaMetadata(title: titles[number]))
        }
    }

    private static func pair(_ content: String) -> (key: String, value: String)? {
        guard !content.hasPrefix(";"), !content.hasPrefix("#"), let (key, value) = content.cut(at: "=") else {
            return nil
        }
        return (key.trimmingCharacters(in: .whitespaces).lowercased(), value.trimmingCharacters(in: .whitespaces))
    }

    private static func number(of key: String, after name: String) -> Int? {
        guard key.hasPrefix(name) else { return nil }
        let digits = key.dropFirst(name.count)
        return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
    }
}
