/// What an advertisement says of itself. Everything that it does not say is `nil`.
public struct IMAMetadata: Codable, Hashable, Sendable {
    /// The advertisement's id at its server.
    public var adId: String?
    /// What the advertisement is called.
    public var adTitle: String?
    /// What the advertisement is about.
    public var adDescription: String?
    /// The server that it comes from.
    public var adSystem: String?
    /// How long it lasts, in seconds.
    public var adDuration: Double?
    /// Whose advertisement it is.
    public var advertiserName: String?
    /// The id of its picture or film.
    public var creativeId: String?

    /// Says nothing that is not given. `adDuration` is in seconds.
    public init(
        adId: String? = nil, adTitle: String? = nil, adDescription: String? = nil, adSystem: String? = nil,
        adDuration: Double? = nil, advertiserName: String? = nil, creativeId: String? = nil
    ) {
        self.adId = adId
        self.adTitle = adTitle
        self.adDescription = adDescription
        self.adSystem = adSystem
        self.adDuration = adDuration
        self.advertiserName = advertiserName
        self.creativeId = creativeId
    }
}
