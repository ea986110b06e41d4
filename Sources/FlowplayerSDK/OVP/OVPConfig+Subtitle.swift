extension OVPConfig {
    /// Subtitles in a file of their own. In JSON the address may be `src` or `url`, the label `label` or `title`.
    public struct Subtitle: Hashable, Sendable {
        /// The platform's id; `nil` if it has none.
        public var id: String?
        /// The address of the file, as the platform writes it.
        public var src: String
        /// The language (ISO 639); `nil` if the platform does not say.
        public var lang: String?
        /// What to show to a person; `nil` if the platform does not say.
        public var label: String?
        /// Whether they are shown until the viewer chooses; in JSON `default`.
        public var isDefault: Bool?

        /// Subtitles at an address.
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
