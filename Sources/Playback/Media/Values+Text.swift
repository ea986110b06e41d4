import Foundation

// Values as they appear in logs and golden files.

extension Double {
    /// The number with three places at most, without trailing zeros.
    package var text: String { text(places: 3) }

    /// The number with six decimals. Clocks are coarser, and the noise of binary fractions is gone.
    package var roundedToMicros: Double { (self * 1e6).rounded() / 1e6 }

    func text(places: Int) -> String {
        var text = String(format: "%.\(places)f", self)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }
}

extension PlaybackError {
    package var text: String {
        [code.name, httpStatus.map { String($0) }].compactMap(\.self).joined(separator: " ")
    }
}

extension MediaMetadata {
    package var text: String {
        let fields = [("title", title), ("artist", artist), ("album", album), ("artwork", artworkURL?.redacted)]
        var parts = fields.compactMap { name, value in value.map { "\(name)=\"\($0)\"" } }
        parts += chapters.map { "chapter=\($0.start.text) \"\($0.title)\"" }
        return parts.joined(separator: " ")
    }
}

extension MediaTracks {
    package var text: String {
        let audio = audio.map { "\($0.id) \"\($0.name)\"\($0.lang.map { " " + $0 } ?? "")" }
        let subtitles = subtitles.map { "\($0.id) \"\($0.name)\"\($0.lang.map { " " + $0 } ?? "")" }
        let video = video.map { "\($0.id) \($0.width)x\($0.height)" }
        return [("audio", audio), ("subtitles", subtitles), ("video", video)].map { kind, tracks in
            "\(kind)=[\(tracks.joined(separator: ", "))]"
        }.joined(separator: " ")
    }
}

extension StringProtocol {
    /// The seconds of a time such as `1:02:03.5`, `02:03.5` or `3.5`; `nil` for anything else.
    package var clockSeconds: Double? {
        let parts = split(separator: ":", omittingEmptySubsequences: false)
        let isDecimal = parts.allSatisfy { part in part.allSatisfy { "0123456789.".contains($0) } }
        let numbers = parts.compactMap { Double($0) }
        guard isDecimal, numbers.count == parts.count, numbers.count <= 3, numbers.allSatisfy({ $0 < 1e6 }) else {
            return nil
        }
        return numbers.reduce(0) { $0 * 60 + $1 }
    }
}
