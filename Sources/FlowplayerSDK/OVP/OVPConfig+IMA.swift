extension OVPConfig {
    /// How advertisements are shown.
    public struct IMA: Hashable, Sendable {
        /// The language for the viewer (ISO 639).
        public var locale: String?
        /// How many wrappers within wrappers are followed.
        public var redirects: Int?
        /// The advertisements, in the platform's order.
        public var ads: [OVPAd]?

        /// Says nothing that is not given.
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
