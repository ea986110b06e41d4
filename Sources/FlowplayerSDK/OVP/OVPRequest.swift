import Foundation

/// What a platform is asked for. The access token is never part of a description, a dump or a reflection.
public struct OVPRequest: Hashable, Sendable {
    /// The platform's id of the medium.
    public let mediaId: String
    /// The platform's id of the player that it is configured for.
    public let playerId: String
    /// What shows the platform that this host may ask; `nil` for none.
    public let accessToken: String?
    /// The session of the medium that is to be played.
    public let sessionID: UUID

    /// - Parameters:
    ///   - mediaId: the platform's id of the medium.
    ///   - playerId: the platform's id of the player that it is configured for.
    ///   - accessToken: what shows the platform that this host may ask; `nil` for none.
    ///   - sessionID: a new one if there is no medium yet.
    public init(mediaId: String, playerId: String, accessToken: String?, sessionID: UUID = UUID()) {
        self.mediaId = mediaId
        self.playerId = playerId
        self.accessToken = accessToken
        self.sessionID = sessionID
    }

    /// Asks for a medium that is to be loaded.
    public init(_ media: MediaOVP, accessToken: String?) {
        self.init(
            mediaId: media.mediaId, playerId: media.playerId, accessToken: accessToken, sessionID: media.sessionID)
    }
}

extension OVPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "OVPRequest(mediaId: \(mediaId), playerId: \(playerId), hasAccessToken: \(accessToken != nil), "
            + "sessionID: \(sessionID))"
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "mediaId": mediaId, "playerId": playerId, "hasAccessToken": accessToken != nil,
                "sessionID": sessionID,
            ])
    }
}
