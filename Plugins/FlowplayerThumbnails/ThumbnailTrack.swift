import Foundation
import Playback

/// A WebVTT file whose cues name images: which part of which image shows a position.
///
/// ```
/// WEBVTT
///
/// 00:00:05.000 --> 00:00:10.000
/// sprites.jpg#xywh=160,0,160,90
/// ```
struct ThumbnailTrack: Hashable, Sendable {
    /// The size limit of the file, in bytes.
    static let byteLimit = 5 << 20

    /// A part of an image, in pixels.
    struct Area: Hashable, Sendable {
        let x, y, width, height: Int
    }

    /// The image of a range of positions.
    struct Cue: Hashable, Sendable {
        let start: Double
        let end: Double
        let image: URL
        /// `nil` for the whole image.
        let area: Area?
    }

    /// In the order of the file. Cues that cannot be read are left out.
    let cues: [Cue]

    /// - Parameters:
    ///   - text: the content of the file.
    ///   - url: the address of the file. Addresses of images are relative to it.
    /// - Returns: `nil` if this is not WebVTT.
    init?(_ text: String, url: URL) {
        let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        guard text.hasPrefix("WEBVTT") else { return nil }
        // A carriage return and a line feed are one character in Swift.
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        var cues: [Cue] = []
        for (index, line) in lines.enumerated().dropLast() where line.contains("-->") {
            if let cue = Cue(times: line, payload: lines[index + 1], url: url) { cues.append(cue) }
        }
        self.cues = cues
    }

    /// Returns the cue of a position in seconds; `nil` if there is none.
    func cue(at seconds: Double) -> Cue? { cues.last { $0.start <= seconds && seconds < $0.end } }
}

extension ThumbnailTrack.Cue {
    fileprivate init?(times: Substring, payload: Substring, url: URL) {
        // Settings may follow the second time.
        let words = times.split { $0 == " " || $0 == "\t" }
        guard words.count >= 3, words[1] == "-->", let start = words[0].clockSeconds,
            let end = words[2].clockSeconds, start < end
        else { return nil }
        let parts = payload.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first?.trimmingCharacters(in: .whitespaces), !address.isEmpty,
            let image = URL(string: address, relativeTo: url)?.absoluteURL
        else { return nil }
        var area: ThumbnailTrack.Area?
        if parts.count > 1 {
            area = ThumbnailTrack.Area(fragment: parts[1].trimmingCharacters(in: .whitespaces))
            // The whole image would be another one than the file names.
            if area == nil { return nil }
        }
        (self.start, self.end, self.image, self.area) = (start, end, image, area)
    }
}

extension ThumbnailTrack.Area {
    /// Reads `xywh=160,0,160,90` and `xywh=pixel:160,0,160,90`.
    fileprivate init?(fragment: String) {
        guard fragment.hasPrefix("xywh=") else { return nil }
        let value = fragment.dropFirst("xywh=".count)
        let numbers = (value.hasPrefix("pixel:") ? value.dropFirst("pixel:".count) : value).split(separator: ",")
        let values = numbers.compactMap { Int($0) }
        guard numbers.count == 4, values.count == 4, values.allSatisfy({ (0...1_000_000).contains($0) }),
            values[2] > 0, values[3] > 0
        else { return nil }
        self.init(x: values[0], y: values[1], width: values[2], height: values[3])
    }
}
