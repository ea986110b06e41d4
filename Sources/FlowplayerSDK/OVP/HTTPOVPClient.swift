import Foundation
import MediaTransport

/// Loads configs from a server.
///
/// ```
/// GET <base>/media/<mediaId>/players/<playerId>/config.json
/// Authorization: Bearer <access token>
/// Accept: application/json
/// ```
///
/// Ids are percent-encoded, slashes too. Redirects are followed only within the server, because the request has the token. A
/// different scheme or port is a different server. A config longer than 1 MB is an error.
public struct HTTPOVPClient: OVPClient {
    private let baseURL: URL
    private let timeout: Duration

    /// - Parameters:
    ///   - baseURL: an address with the scheme `https`, or `http` in a trusted network. The path of the request is appended.
    ///   - timeout: the time until the last byte of the response, at most a day.
    public init(baseURL: URL, timeout: Duration = .seconds(10)) {
        self.baseURL = baseURL
        self.timeout = min(max(timeout, .zero), .seconds(86_400))
    }

    @concurrent public func config(for request: OVPRequest) async throws(OVPError) -> OVPConfig {
        guard let token = request.accessToken, token.isHeaderValue else { throw .invalidAccessToken(status: nil) }
        let url = try url(for: request)
        let headers = ["Authorization": "Bearer \(token)", "Accept": "application/json"]
        let answer: HTTPFetch.Answer
        do {
            answer = try await HTTPFetch.answer(
                to: .init(url, headers: headers, upTo: OVPConfig.byteLimit, within: timeout, staysAtOrigin: true))
        } catch {
            switch error {
            case .tooLong: throw OVPConfig.tooLong
            case .network(_, let reason): throw .network(reason: reason, url: url.redacted)
            }
        }
        switch answer.status {
        case 200..<300: return try OVPConfig.read(OVPConfig.self, from: answer.body).playable(at: answer.url)
        case 401, 403: throw .invalidAccessToken(status: answer.status)
        case 404: throw .notFound
        default: throw .server(status: answer.status)
        }
    }

    private func url(for request: OVPRequest) throws(OVPError) -> URL {
        guard baseURL.isHTTP, !(baseURL.host() ?? "").isEmpty,
            var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        else { throw .network(reason: "The platform's address is not that of a server.", url: baseURL.redacted) }
        var segments = components.percentEncodedPath.split(separator: "/").map(String.init)
        for (name, id) in [("media", request.mediaId), ("players", request.playerId)] {
            // Dots name folders, even if they are encoded (RFC 3986, section 6.2.2.3).
            guard !["", ".", ".."].contains(id), let segment = id.percentEncoded else { throw .notFound }
            segments += [name, segment]
        }
        components.percentEncodedPath = "/" + (segments + ["config.json"]).joined(separator: "/")
        guard let url = components.url else { throw .notFound }
        return url
    }
}

extension String {
    /// The string with all characters encoded except the unreserved ones (RFC 3986, section 2.3).
    fileprivate var percentEncoded: String? {
        addingPercentEncoding(
            withAllowedCharacters: CharacterSet(
                charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"))
    }

    /// `true` if it can be the value of one header field.
    fileprivate var isHeaderValue: Bool {
        !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
