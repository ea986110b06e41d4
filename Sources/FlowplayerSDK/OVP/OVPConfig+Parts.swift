import Foundation

extension OVPConfig {
    /// A source of an item. In JSON an address, or an object with `src` and an optional `type`.
    public struct Source: Hashable, Sendable {
        /// The address, in the platform's format.
        public var src: String
        /// The media type, for example `application/x-mpegurl`.
        public var type: String?

        /// Creates a source.
        public init(src: String, type: String? = nil) {
            self.src = src
            self.type = type
        }
    }
}

extension OVPConfig.Source: Codable {
    private enum CodingKeys: CodingKey { case src, type }

    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: CodingKeys.self) {
            src = try container.decode(String.self, forKey: .src)
            type = try container.decodeIfPresent(String.self, forKey: .type)
        } else {
            src = try decoder.singleValueContainer().decode(String.self)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        guard let type else {
            var container = encoder.singleValueContainer()
            return try container.encode(src)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(src, forKey: .src)
        try container.encode(type, forKey: .type)
    }
}

extension OVPConfig {
    /// An external subtitle file. In JSON the address is `src` or `url`, the label is `label` or `title`.
    public struct Subtitle: Hashable, Sendable {
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

        /// Creates subtitles.
        public init(
            id: String? = nil, src: String, lang: String? = nil, label: String? = nil, isDefault: Bool? = nil
        ) {
            self.id = id
            self.src = src
            self.lang = lang
            self.label = label
            self.isDefault = isDefault
        }
    }
}

extension OVPConfig.Subtitle: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, src, url, lang, label, title
        case isDefault = "default"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.textIfPresent(forKey: .id)
        src =
            try container.decodeIfPresent(String.self, forKey: .url)
            ?? container.decode(String.self, forKey: .src)
        lang = try container.decodeIfPresent(String.self, forKey: .lang)
        label =
            try container.decodeIfPresent(String.self, forKey: .label)
            ?? container.decodeIfPresent(String.self, forKey: .title)
        isDefault = try container.decodeIfPresent(Bool.self, forKey: .isDefault)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(id, forKey: .id)
        try container.encode(src, forKey: .src)
        try container.encodeIfPresent(lang, forKey: .lang)
        try container.encodeIfPresent(label, forKey: .label)
        try container.encodeIfPresent(isDefault, forKey: .isDefault)
    }
}

extension OVPConfig {
    /// The metadata of an item.
    public struct Metadata: Hashable, Sendable {
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
}

extension OVPConfig.Metadata: Codable {
    private enum CodingKeys: CodingKey {
        case mediaId, siteGroupId, siteId, playerId, categoryId, categoryName, title, description
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        mediaId = try container.textIfPresent(forKey: .mediaId)
        siteGroupId = try container.textIfPresent(forKey: .siteGroupId)
        siteId = try container.textIfPresent(forKey: .siteId)
        playerId = try container.textIfPresent(forKey: .playerId)
        categoryId = try container.textIfPresent(forKey: .categoryId)
        categoryName = try container.textIfPresent(forKey: .categoryName)
        title = try container.textIfPresent(forKey: .title)
        description = try container.textIfPresent(forKey: .description)
    }
}

extension OVPConfig {
    /// The settings for advertisements.
    public struct IMA: Hashable, Sendable {
        /// The language for the viewer (ISO 639).
        public var locale: String?
        /// The maximum number of nested wrappers.
        public var redirects: Int?
        /// The advertisements, in the platform's order.
        public var ads: [OVPAd]?

        /// Creates settings.
        public init(locale: String? = nil, redirects: Int? = nil, ads: [OVPAd]? = nil) {
            self.locale = locale
            self.redirects = redirects
            self.ads = ads
        }
    }
}

extension OVPConfig.IMA: Codable {
    private enum CodingKeys: CodingKey { case locale, redirects, ads }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        locale = try container.decodeIfPresent(String.self, forKey: .locale)
        redirects = try container.wholeIfPresent(forKey: .redirects)
        ads = try container.decodeIfPresent([OVPAd].self, forKey: .ads)
    }
}

/// An advertisement in the config of a platform.
public struct OVPAd: Hashable, Sendable {
    /// The default load timeout, in ms.
    public static let defaultTimeout = 8000

    /// The load timeout, in ms.
    public var timeout: Int
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
    /// - Parameters:
    ///   - adTag: the ad tag for the ad server.
    ///   - adTagId: the platform's id of the tag.
    ///   - adTagUrl: the address of the tag.
    ///   - time: the position in the item, in ms.
    ///   - timeout: the load timeout, in ms.
    public init(
        adTag: String, adTagId: String? = nil, adTagUrl: URL? = nil, time: Int? = nil,
        timeout: Int = Self.defaultTimeout
    ) {
        self.adTag = adTag
        self.adTagId = adTagId
        self.adTagUrl = adTagUrl
        self.time = time
        self.timeout = timeout
    }
}

extension OVPAd: Codable {
    private enum CodingKeys: CodingKey { case timeout, time, adTag, adTagId, adTagUrl }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        timeout = try container.wholeIfPresent(forKey: .timeout) ?? Self.defaultTimeout
        time = try container.wholeIfPresent(forKey: .time)
        adTag = try container.decode(String.self, forKey: .adTag)
        adTagId = try container.textIfPresent(forKey: .adTagId)
        adTagUrl = try container.decodeIfPresent(URL.self, forKey: .adTagUrl)
    }
}
