extension OVPConfig {
    /// How advertisements are shown.
    public struct IMA: Codable, Hashable, Sendable {
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
