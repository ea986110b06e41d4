import Foundation

/// Gets the configs of a platform.
///
/// `HTTPOVPClient` requests them from a server, and `DirectoryOVPClient` reads files. A host can implement a client for another
/// platform.
public protocol OVPClient: Sendable {
    /// Returns the config of an item, with absolute addresses: see `OVPConfig.resolved(against:)`.
    ///
    /// The method can be called concurrently from any thread. It must not block. If its task is cancelled, it must return soon. Its
    /// error is then ignored.
    func config(for request: OVPRequest) async throws(OVPError) -> OVPConfig
}

/// A request to a platform. Descriptions, dumps and reflections never contain the access token.
public struct OVPRequest: Hashable, Sendable {
    /// The platform's id of the item.
    public let mediaId: String
    /// The platform's id of the player configuration.
    public let playerId: String
    /// The access token of the host, if any.
    public let accessToken: String?
    /// The session of the item.
    public let sessionID: UUID

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - mediaId: the platform's id of the item.
    ///   - playerId: the platform's id of the player configuration.
    ///   - accessToken: the access token of the host, if any.
    ///   - sessionID: the session of the item. Default: a new one.
    public init(mediaId: String, playerId: String, accessToken: String?, sessionID: UUID = UUID()) {
        self.mediaId = mediaId
        self.playerId = playerId
        self.accessToken = accessToken
        self.sessionID = sessionID
    }

    /// Creates the request for an item.
    public init(_ media: MediaOVP, accessToken: String?) {
        self.init(
            mediaId: media.mediaId, playerId: media.playerId, accessToken: accessToken, sessionID: media.sessionID)
    }
}

extension OVPRequest: CustomReflectable {
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "mediaId": mediaId, "playerId": playerId, "hasAccessToken": accessToken != nil, "sessionID": sessionID,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
