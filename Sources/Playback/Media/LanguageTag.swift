import Foundation

/// The language of a track or of a preference: a tag of BCP 47, or a code of ISO 639 with two or three letters.
struct LanguageTag {
    private let text: String
    /// The code of ISO 639-2 without script and region, or the text that is no known code.
    private let language: String

    init(_ text: String) {
        self.text = text.lowercased().replacing("_", with: "-")
        let code = self.text.split(separator: "-").first.map(String.init) ?? ""
        let terminological = Self.terminologicalCodes[code] ?? code
        language = Locale.LanguageCode(terminological).identifier(.alpha3) ?? terminological
    }

    /// Returns the track with the first language that a track has; of several, one with the same script and region.
    static func first<Track>(of tracks: [Track], in languages: [String], _ lang: (Track) -> String?) -> Track? {
        let tags = tracks.map { track in lang(track).map { LanguageTag($0) } }
        for wanted in languages.map({ LanguageTag($0) }) {
            let index =
                tags.firstIndex { $0?.text == wanted.text } ?? tags.firstIndex { $0?.language == wanted.language }
            if let index { return tracks[index] }
        }
        return nil
    }

    /// The languages with two codes in ISO 639-2: the bibliographic code, and the one that the system knows.
    private static let terminologicalCodes = [
        "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld", "fre": "fra",
        "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas",
        "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
    ]
}
