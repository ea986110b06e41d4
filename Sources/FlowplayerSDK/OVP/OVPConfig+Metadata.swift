extension OVPConfig {
    /// What a medium is about, and whose it is.
    public struct Metadata: Hashable, Sendable {
        /// The platform's id of the medium.
        public var mediaId: String?
        /// The group that the site belongs to.
        public var siteGroupId: String?
        /// The site that shows the medium.
        public var siteId: String?
        /// The platform's id of the player.
        public var playerId: String?
        /// The category that the medium is in.
        public var categoryId: String?
        /// What the category is called.
        public var categoryName: String?
        /// What the medium is called.
        public var title: String?
        /// What the medium is about.
        public var description: String?

        /// Says nothing yet.
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
