import Foundation

/// Why a platform's config could not be had. Nothing in it shows an access token or the query of an address.
///
/// Frozen: a failure of another kind is told as the nearest of these.
public enum OVPError: Error, Hashable, Sendable {
    /// The platform refused the access token, with the HTTP status 401 or 403. `nil` if nothing was asked, since
    /// there is no token or one that no request can carry.
    case invalidAccessToken(status: Int?)
    /// There is a config, and it cannot be used. The reason is one sentence or more.
    case invalidConfig(reason: String)
    /// The platform was not reached, or did not answer to the end. The reason is one sentence or more, the URL without
    /// credentials and query.
    case network(reason: String, url: String?)
    /// There is no config for these ids.
    case notFound
    /// The platform answered with an HTTP status that is neither success nor one of the others' own.
    case server(status: Int)
}

extension OVPError: LocalizedError {
    /// What failed and what to do about it, in sentences for people.
    public var errorDescription: String? {
        switch self {
        case .invalidAccessToken(nil):
            "There is no usable access token. Set one before a medium is loaded by its id."
        case .invalidAccessToken(let status?):
            "The platform refused the access token with status \(status). Check the token and what it is for."
        case .invalidConfig(let reason):
            "The medium's config cannot be used. \(reason) Mend the config."
        case .network(let reason, let url):
            "\(reason) Check the network\(url.map { " and the address \($0)" } ?? "")."
        case .notFound:
            "There is no config for this medium and player. Check both ids."
        case .server(let status):
            "The platform answered with status \(status). Try again later."
        }
    }
}

extension OVPError {
    /// What is wrong with a config, by the path to the place where it is.
    init(_ error: any Error) {
        let reason =
            switch error as? DecodingError {
            case .typeMismatch(let type, let context):
                "\(context.codingPath.place) must be \(Self.word(for: type))."
            case .keyNotFound(let key, let context): "\((context.codingPath + [key]).place) is missing."
            case .valueNotFound(_, let context): "\(context.codingPath.place) is null."
            case .dataCorrupted(let context) where !context.codingPath.isEmpty:
                "\(context.codingPath.place) has a value that cannot be used."
            default: "It is not JSON."
            }
        self = .invalidConfig(reason: reason)
    }

    private static func word(for type: Any.Type) -> String {
        switch type {
        case is Bool.Type: "true or false"
        case is Int.Type: "a whole number"
        case is String.Type: "a text"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}

extension [any CodingKey] {
    /// As a person writes it: `ima.ads[0].timeout`.
    fileprivate var place: String {
        guard !isEmpty else { return "It" }
        let path = reduce(into: "") { path, key in
            path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
        }
        return "`\(path)`"
    }
}
