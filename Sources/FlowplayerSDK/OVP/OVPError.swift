import Foundation

/// The reason why a config could not be loaded. It contains no access token and no query of an address.
///
/// Frozen. Other failures are reported as the nearest case.
public enum OVPError: Error, Hashable, Sendable {
    /// The platform refused the access token, with the HTTP status 401 or 403. The status is `nil` if no request was sent,
    /// because the token is missing or invalid in a request.
    case invalidAccessToken(status: Int?)
    /// The config is invalid. The reason is one or more sentences.
    case invalidConfig(reason: String)
    /// The platform could not be reached, or its response ended early. The reason is one or more sentences. The URL has no
    /// credentials and no query.
    case network(reason: String, url: String?)
    /// There is no config for these ids.
    case notFound
    /// The platform answered with any other HTTP status that is not a success.
    case server(status: Int)
}

extension OVPError: LocalizedError {
    /// The failure and its remedy, as sentences for the user.
    public var errorDescription: String? {
        switch self {
        case .invalidAccessToken(nil): "There is no valid access token. Set one before you load an item by its id."
        case .invalidAccessToken(let status?):
            "The platform refused the access token (HTTP \(status)). Check the token and its permissions."
        case .invalidConfig(let reason): "The item's config is invalid. \(reason) Correct the config."
        case .network(let reason, let url): "\(reason) Check the network\(url.map { " and the address \($0)" } ?? "")."
        case .notFound: "There is no config for this item and player. Check both ids."
        case .server(let status): "The platform reported an error (HTTP \(status)). Try again later."
        }
    }
}

extension OVPError {
    /// Describes a decoding error with its path.
    init(_ error: any Error) {
        let reason =
            switch error as? DecodingError {
            case .typeMismatch(let type, let context): "\(context.codingPath.place) must be \(Self.word(for: type))."
            case .keyNotFound(let key, let context): "\((context.codingPath + [key]).place) is missing."
            case .valueNotFound(_, let context): "\(context.codingPath.place) is null."
            case .dataCorrupted(let context) where !context.codingPath.isEmpty:
                "\(context.codingPath.place) has an invalid value."
            default: "It is not JSON."
            }
        self = .invalidConfig(reason: reason)
    }

    private static func word(for type: Any.Type) -> String {
        switch type {
        case is Bool.Type: "true or false"
        case is Int.Type: "a whole number"
        case is String.Type: "a string"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}

extension [any CodingKey] {
    /// The path as text: `ima.ads[0].timeout`.
    fileprivate var place: String {
        guard !isEmpty else { return "It" }
        let path = reduce(into: "") { path, key in
            path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
        }
        return "`\(path)`"
    }
}
