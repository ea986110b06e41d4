import Foundation
import Playback

/// The subtitles of a file, as lines for a terminal that shows no video.
struct SubtitleLines {
    private struct Cue {
        let start: Double
        let end: Double
        let text: String
    }

    private let cues: [Cue]

    /// Reads SRT or WebVTT. Cues that cannot be read are left out.
    init(_ content: String) {
        // A carriage return and a line feed are one character in Swift.
        let lines = content.split(omittingEmptySubsequences: false) { $0.isNewline }
        var cues: [Cue] = []
        for (index, line) in lines.enumerated() where line.contains("-->") {
            let times = line.split(separator: " ").filter { $0 != "-->" }.compactMap {
                $0.replacing(",", with: ".").clockSeconds
            }
            let text = lines[(index + 1)...].prefix { !$0.allSatisfy(\.isWhitespace) }
                .map { $0.replacing(/<[^>]*>/, with: "") }.joined(separator: "\n")
            if times.count >= 2 { cues.append(Cue(start: times[0], end: times[1], text: text)) }
        }
        self.cues = cues
    }

    /// Reads a local file. Returns `nil` for others, and for a file that is not text.
    init?(file: URL) {
        var encoding = String.Encoding.utf8
        guard file.isFileURL, let content = try? String(contentsOf: file, usedEncoding: &encoding) else { return nil }
        self.init(content)
    }

    /// The text at a position in seconds; empty if there is none.
    func text(at seconds: Double) -> String {
        cues.filter { $0.start <= seconds && seconds < $0.end }.map(\.text).joined(separator: "\n")
    }
}
