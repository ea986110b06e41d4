import Foundation

/// What a platform says of a medium and of how it is to be played.
///
/// Everything that the platform does not say is `nil`. As JSON it has the names of the properties as keys, and is read
/// leniently where platforms differ: `src` may be one address or a list, `ratio` and ids may be numbers, `autoPlay` may
/// be spelled `autoplay` or `auto_play`, and `subtitles` may be a list or an object with a list of `tracks`. Unknown
/// keys are passed over.
public struct OVPConfig: Hashable, Sendable {
    /// How advertisements are shown.
    public var ima: IMA?
    /// What the medium is about, and whose it is.
    public var metadata: Metadata?
    /// Subtitles that are not in the medium itself, in the order in which they are offered.
    public var subtitles: [Subtitle]?
    /// Whether it is a stream without an end.
    public var live: Bool?
    /// Whether a viewer may go back in a stream without an end.
    public var dvr: Bool?
    /// Whether it plays as soon as it can.
    public var autoPlay: Bool?
    /// Whether it begins again after its end.
    public var loop: Bool?
    /// The address of a picture to show before playback.
    public var poster: String?
    /// Versions of the medium, the platform's first choice first.
    public var sources: [Source]?
    /// The picture's height divided by its width, as the platform writes it.
    public var ratio: String?
    /// Flags that say which controls are shown; their meaning is the platform's.
    public var ui: Int?
    /// The language for the viewer (ISO 639).
    public var lang: String?
    /// How much is loaded before playback, in the words of HTML: `none`, `metadata` or `auto`.
    public var preload: String?

    /// A config that says nothing but where the medium is.
    public init(src: [String]? = nil) {
        sources = src?.map { Source(src: $0) }
    }

    /// The addresses of `sources`, in their order.
    public var src: [String]? { sources?.map(\.src) }
}

extension OVPConfig: Codable {
    private enum CodingKeys: String, CodingKey {
        case ima, metadata, subtitles, live, dvr, autoPlay, loop, poster, ratio, ui, lang, preload
        case sources = "src"
    }

    private enum OtherKeys: String, CodingKey {
        case autoplay
        case autoPlay = "auto_play"
    }

    private enum SubtitlesKeys: CodingKey { case tracks }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let others = try decoder.container(keyedBy: OtherKeys.self)
        ima = try container.decodeIfPresent(IMA.self, forKey: .ima)
        metadata = try container.decodeIfPresent(Metadata.self, forKey: .metadata)
        subtitles = try Self.subtitles(in: container)
        live = try container.decodeIfPresent(Bool.self, forKey: .live)
        dvr = try container.decodeIfPresent(Bool.self, forKey: .dvr)
        autoPlay =
            try container.decodeIfPresent(Bool.self, forKey: .autoPlay)
            ?? others.decodeIfPresent(Bool.self, forKey: .autoplay)
            ?? others.decodeIfPresent(Bool.self, forKey: .autoPlay)
        loop = try container.decodeIfPresent(Bool.self, forKey: .loop)
        poster = try container.decodeIfPresent(String.self, forKey: .poster)
        sources = try Self.sources(in: container)
        ratio = try container.textIfPresent(forKey: .ratio)
        ui = try container.wholeIfPresent(forKey: .ui)
        lang = try container.decodeIfPresent(String.self, forKey: .lang)
        preload = try container.decodeIfPresent(String.self, forKey: .preload)
    }

    private static func sources(in container: KeyedDecodingContainer<CodingKeys>) throws -> [Source]? {
        if (try? container.nestedUnkeyedContainer(forKey: .sources)) != nil {
            return try container.decode([Source].self, forKey: .sources)
        }
        return try container.decodeIfPresent(Source.self, forKey: .sources).map { [$0] }
    }

    private static func subtitles(in container: KeyedDecodingContainer<CodingKeys>) throws -> [Subtitle]? {
        if let object = try? container.nestedContainer(keyedBy: SubtitlesKeys.self, forKey: .subtitles) {
            return try object.decodeIfPresent([Subtitle].self, forKey: .tracks)
        }
        return try container.decodeIfPresent([Subtitle].self, forKey: .subtitles)
    }
}

extension KeyedDecodingContainer {
    /// A text that may be written as a number.
    func textIfPresent(forKey key: Key) throws -> String? {
        if let whole = try? decodeIfPresent(Int64.self, forKey: key) { return String(whole) }
        if let number = try? decodeIfPresent(Double.self, forKey: key) { return number.shortText }
        return try decodeIfPresent(String.self, forKey: key)
    }

    /// Names the place of a number that is not whole, which Foundation takes for bad JSON.
    func wholeIfPresent(forKey key: Key) throws -> Int? {
        if let whole = try? decodeIfPresent(Int.self, forKey: key) { return whole }
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        throw DecodingError.typeMismatch(
            Int.self, .init(codingPath: codingPath + [key], debugDescription: "not a whole number"))
    }
}
