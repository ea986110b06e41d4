import Foundation

/// The config of an item on a video platform.
///
/// Missing values are `nil`. The keys in JSON are the names of the properties. Some variants are accepted:
///
/// - `src` may be one address or a list.
/// - Strings may be numbers.
/// - `autoPlay` may be spelled `autoplay` or `auto_play`.
/// - `subtitles` may be a list or an object with a list of `tracks`.
///
/// Unknown keys are ignored.
public struct OVPConfig: Hashable, Sendable {
    /// The settings for advertisements.
    public var ima: IMA?
    /// The metadata of the item.
    public var metadata: Metadata?
    /// The external subtitles.
    public var subtitles: Subtitle?
    /// `true` for a live stream.
    public var live: Bool?
    /// `true` if the viewer can seek back in a live stream.
    public var dvr: Bool?
    /// `true` if playback starts automatically.
    public var autoPlay: Bool?
    /// `true` if the item repeats.
    public var loop: Bool?
    /// The address of an image to show before playback.
    public var poster: String?
    /// The sources of the item, in the platform's order of preference.
    public var sources: [Source]?
    /// The height of the video divided by its width, in the platform's format.
    public var ratio: String?
    /// The flags for controls. The platform defines their meaning.
    public var ui: Int?
    /// The language for the viewer (ISO 639).
    public var lang: String?
    /// The amount to load before playback, as in HTML: `none`, `metadata` or `auto`.
    public var preload: String?

    /// Creates a config with addresses only.
    public init(src: [String]? = nil) {
        sources = src?.map { Source(src: $0) }
    }

    /// The addresses of `sources`, in the same order.
    public var src: [String]? { sources?.map(\.src) }
}

extension OVPConfig: Codable {
    private enum CodingKeys: String, PlatformKey {
        case ima, metadata, subtitles, live, dvr, autoPlay, loop, poster, ratio, ui, lang, preload
        case sources = "src"
    }

    private enum OtherKeys: String, CodingKey {
        case autoplay
        case autoPlay = "auto_play"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let others = try decoder.container(keyedBy: OtherKeys.self)
        ima = try container.decodeIfPresent(IMA.self, forKey: .ima)
        metadata = try container.decodeIfPresent(Metadata.self, forKey: .metadata)
        subtitles = try container.decodeIfPresent(Subtitle.self, forKey: .subtitles)
        live = try container.decodeIfPresent(Bool.self, forKey: .live)
        dvr = try container.decodeIfPresent(Bool.self, forKey: .dvr)
        autoPlay =
            try container.decodeIfPresent(Bool.self, forKey: .autoPlay) ?? others.decodeIfPresent(
                Bool.self, forKey: .autoplay)
            ?? others.decodeIfPresent(Bool.self, forKey: .autoPlay)
        loop = try container.decodeIfPresent(Bool.self, forKey: .loop)
        poster = try container.decodeIfPresent(String.self, forKey: .poster)
        sources = try Self.sources(in: container)
        ratio = try container.decodeIfPresent(String.self, forKey: .ratio)
        ui = try container.decodeIfPresent(Int.self, forKey: .ui)
        lang = try container.decodeIfPresent(String.self, forKey: .lang)
        preload = try container.decodeIfPresent(String.self, forKey: .preload)
    }

    private static func sources(in container: KeyedDecodingContainer<CodingKeys>) throws -> [Source]? {
        if (try? container.nestedUnkeyedContainer(forKey: .sources)) != nil {
            return try container.decode([Source].self, forKey: .sources)
        }
        return try container.decodeIfPresent(Source.self, forKey: .sources).map { [$0] }
    }
}

/// A key whose optional values are decoded by the rules below, also in the initialisers that the compiler writes.
protocol PlatformKey: CodingKey {}

extension KeyedDecodingContainer where Key: PlatformKey {
    /// Decodes a string, or a number as a string.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        if let whole = try? decode(Int64.self, forKey: key) { return String(whole) }
        if let number = try? decode(Double.self, forKey: key) { return number.shortText }
        return try decode(String.self, forKey: key)
    }

    /// Decodes an integer. The error for a fraction contains its path; Foundation reports invalid JSON for it.
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        if let whole = try? decode(Int.self, forKey: key) { return whole }
        throw DecodingError.typeMismatch(
            Int.self, .init(codingPath: codingPath + [key], debugDescription: "not a whole number"))
    }
}

extension OVPConfig {
    /// The maximum size of a config, in bytes.
    static let byteLimit = 1_000_000

    static let tooLong = OVPError.invalidConfig(reason: "It is larger than 1 MB.")

    /// Decodes JSON, and describes its errors.
    static func read<Form: Decodable>(_ form: Form.Type, from data: Data) throws(OVPError) -> Form {
        guard !data.isEmpty else { throw .invalidConfig(reason: "It is empty.") }
        guard data.count <= byteLimit else { throw tooLong }
        do { return try JSONDecoder().decode(form, from: data) } catch { throw OVPError(error) }
    }

    /// Returns the config with absolute addresses. Throws if it has no playable source.
    func playable(at base: URL) throws(OVPError) -> OVPConfig {
        let config = resolved(against: base)
        guard config.mediaURL != nil else { throw .invalidConfig(reason: "`src` contains no playable address.") }
        return config
    }
}
