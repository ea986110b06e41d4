import Foundation

extension OVPConfig {
    /// A source of an item. In JSON an address, or an object with `src` and an optional `type`.
    public struct Source: Codable, Hashable, Sendable {
        /// The address, in the platform's format.
        public var src: String
        /// The media type, for example `application/x-mpegurl`.
        public var type: String?

        /// Creates a source.
        public init(src: String, type: String? = nil) {
            self.src = src
            self.type = type
        }

        public init(from decoder: any Decoder) throws {
            if let container = try? decoder.container(keyedBy: CodingKeys.self) {
                src = try container.decode(String.self, forKey: .src)
                type = try container.decodeIfPresent(String.self, forKey: .type)
            } else {
                src = try decoder.singleValueContainer().decode(String.self)
            }
        }
    }

    /// The subtitles of an item. In JSON a list, or an object with a list of `tracks`.
    public struct Subtitle: Codable, Identifiable, Sendable {
        private enum CodingKeys: CodingKey { case tracks }

        /// A random id, which is not part of the JSON.
        public var id = UUID()
        /// The subtitle files, in the order of the track list.
        public var tracks: [SubtitleFile]

        /// Creates subtitles.
        public init(tracks: [SubtitleFile]) { self.tracks = tracks }

        public init(from decoder: any Decoder) throws {
            let object = try? decoder.container(keyedBy: CodingKeys.self)
            tracks =
                try object.map { try $0.decodeIfPresent([SubtitleFile].self, forKey: .tracks) ?? [] }
                ?? [SubtitleFile](from: decoder)
        }
    }

    /// An external subtitle file. In JSON the address is `src` or `url`, the label is `label` or `title`.
    public struct SubtitleFile: Hashable, Sendable {
        /// The platform's id.
        public var id: String?
        /// The address of the file, in the platform's format.
        public var src: String
        /// The language (ISO 639).
        public var lang: String?
        /// The label for the viewer.
        public var label: String?
        /// `true` if the subtitles are shown by default. In JSON `default`.
        public var isDefault: Bool?
    }

    /// The metadata of an item.
    public struct Metadata: Codable, Hashable, Sendable {
        private enum CodingKeys: PlatformKey {
            case mediaId, siteGroupId, siteId, playerId, categoryId, categoryName, title, description
        }

        /// The platform's id of the item.
        public var mediaId: String?
        /// The id of the site group.
        public var siteGroupId: String?
        /// The id of the site.
        public var siteId: String?
        /// The platform's id of the player.
        public var playerId: String?
        /// The id of the category.
        public var categoryId: String?
        /// The name of the category.
        public var categoryName: String?
        /// The title of the item.
        public var title: String?
        /// The description of the item.
        public var description: String?

        /// Creates empty metadata.
        public init() {}
    }

    /// The settings for advertisements.
    public struct IMA: Codable, Hashable, Sendable {
        private enum CodingKeys: PlatformKey { case locale, redirects, ads }

        /// The language for the viewer (ISO 639).
        public var locale: String?
        /// The maximum number of nested wrappers.
        public var redirects: Int?
        /// The advertisements, in the platform's order.
        public var ads: [OVPAd]?

        /// Creates empty settings.
        public init() {}
    }
}

extension OVPConfig.Subtitle: Hashable {
    /// Compares the files. The id is not compared.
    public static func == (a: Self, b: Self) -> Bool { a.tracks == b.tracks }
    public func hash(into hasher: inout Hasher) { hasher.combine(tracks) }
}

extension OVPConfig.SubtitleFile: Codable {
    private enum CodingKeys: String, PlatformKey {
        case id, src, lang, label
        case isDefault = "default"
    }

    private enum OtherKeys: CodingKey { case url, title }

    /// Creates a file.
    public init(src: String) { self.src = src }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let others = try decoder.container(keyedBy: OtherKeys.self)
        id = try container.decodeIfPresent(String.self, forKey: .id)
        src = try others.decodeIfPresent(String.self, forKey: .url) ?? container.decode(String.self, forKey: .src)
        lang = try container.decodeIfPresent(String.self, forKey: .lang)
        label =
            try container.decodeIfPresent(String.self, forKey: .label)
            ?? others.decodeIfPresent(String.self, forKey: .title)
        isDefault = try container.decodeIfPresent(Bool.self, forKey: .isDefault)
    }
}

/// An advertisement in the config of a platform.
public struct OVPAd: Codable, Hashable, Sendable {
    private enum CodingKeys: PlatformKey { case timeout, time, adTag, adTagId, adTagUrl }

    /// The default load timeout, in ms.
    public static let defaultTimeout = 8000

    /// The load timeout, in ms.
    public var timeout = Self.defaultTimeout
    /// The position in the item, in ms.
    public var time: Int?
    /// The ad tag for the ad server.
    public var adTag: String
    /// The platform's id of the tag.
    public var adTagId: String?
    /// The address of the tag.
    public var adTagUrl: URL?

    /// Creates an advertisement.
    ///
    /// - Parameter adTag: the ad tag for the ad server.
    public init(adTag: String) { self.adTag = adTag }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        timeout = try container.decodeIfPresent(Int.self, forKey: .timeout) ?? Self.defaultTimeout
        time = try container.decodeIfPresent(Int.self, forKey: .time)
        adTag = try container.decode(String.self, forKey: .adTag)
        adTagId = try container.decodeIfPresent(String.self, forKey: .adTagId)
        adTagUrl = try container.decodeIfPresent(URL.self, forKey: .adTagUrl)
    }
}
