import Foundation

/// An advertisement that a platform wants shown.
public struct OVPAd: Hashable, Sendable {
    /// How long it may take to load where the platform does not say: 8000 ms.
    public static let defaultTimeout = 8000

    /// How long it may take to load, in ms.
    public var timeout: Int
    /// Where in the medium it is shown, in ms; `nil` if the platform does not say.
    public var time: Int?
    /// What the advertisement's server is asked for.
    public var adTag: String
    /// The platform's id of the tag; `nil` if it has none.
    public var adTagId: String?
    /// The address of the tag; `nil` if the platform names none.
    public var adTagUrl: URL?

    /// - Parameters:
    ///   - adTag: what the advertisement's server is asked for.
    ///   - adTagId: the platform's id of the tag.
    ///   - adTagUrl: the address of the tag.
    ///   - time: where in the medium it is shown, in ms.
    ///   - timeout: how long it may take to load, in ms.
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
