import Foundation
import Playback

/// The chapters in the index of an mp4 file, in the box `chpl`. Most programs write it, beside a track that few players read.
package enum MP4Chapters {
    /// - Parameter bytes: a part of a file.
    /// - Returns: an empty list if the part is not the whole box `moov`, or has no chapters.
    package static func list(of bytes: UnsafeRawBufferPointer) -> [Chapter] {
        guard let user = Boxes.index(in: bytes)?.first("udta"), let content = Boxes(user.content).first("chpl")?.content
        else {
            return []
        }
        var rest = content.dropFirst(content.first == 1 ? 8 : 4)
        guard let count = rest.popFirst() else { return [] }
        var chapters: [Chapter] = []
        while chapters.count < Int(count), let time = rest.number(at: 0, bytes: 8),
            let length = rest.number(at: 8, bytes: 1)
        {
            let title = String(decoding: rest.dropFirst(9).prefix(length), as: UTF8.self)
            // The unit is 100 ns.
            chapters.append(
                Chapter(start: Double(time) / 1e7, title: title.isEmpty ? "Chapter \(chapters.count + 1)" : title))
            rest = rest.dropFirst(9 + length)
        }
        return chapters
    }
}
