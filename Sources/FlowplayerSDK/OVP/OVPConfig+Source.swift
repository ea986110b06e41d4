extension OVPConfig {
    /// One version of a medium. In JSON an address, or an object with an address as `src` and optionally a `type`.
    public struct Source: Hashable, Sendable {
        /// The address, as the platform writes it.
        public var src: String
        /// The media type, for example `application/x-mpegurl`; `nil` if the platform does not say.
        public var type: String?

        /// A version at an address.
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
