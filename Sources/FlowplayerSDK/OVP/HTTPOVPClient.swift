import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks a server for configs.
///
/// ```
/// GET <base>/media/<mediaId>/players/<playerId>/config.json
/// Authorization: Bearer <access token>
/// Accept: application/json
/// ```
///
/// Ids are percent-encoded, slashes too. Redirects are followed within the server only, so that the token reaches
/// nobody else; another scheme or port is another server. A config longer than 1 MB is refused.
public struct HTTPOVPClient: OVPClient {
    private let baseURL: URL
    private let timeout: Duration

    /// - Parameters:
    ///   - baseURL: an address that begins with `https:` or, where nobody listens in, `http:`. What follows its path
    ///     is the request's.
    ///   - timeout: how long the answer may take, the whole of it; held to at most a day.
    public init(baseURL: URL, timeout: Duration = .seconds(10)) {
        self.baseURL = baseURL
        self.timeout = min(max(timeout, .zero), .seconds(86_400))
    }

    @concurrent public func config(for request: OVPRequest) async throws(OVPError) -> OVPConfig {
        let answer = try await answer(to: urlRequest(for: request))
        switch answer.status {
        case 200..<300: return try OVPConfig.read(OVPConfig.self, from: answer.body).playable(at: answer.url)
        case 401, 403: throw .invalidAccessToken(status: answer.status)
        case 404: throw .notFound
        default: throw .server(status: answer.status)
        }
    }

    @concurrent private func answer(to request: URLRequest) async throws(OVPError) -> HTTPFetch.Answer {
        do {
            // The token is for nobody else.
            return try await HTTPFetch.answer(
                to: request, upTo: OVPConfig.byteLimit, within: timeout, redirects: .sameOrigin)
        } catch {
            switch error {
            case .tooLong: throw OVPConfig.tooLong
            case .network(let reason): throw .network(reason: reason, url: request.url?.redacted)
            }
        }
    }

    private func urlRequest(for request: OVPRequest) throws(OVPError) -> URLRequest {
        guard let token = request.accessToken, token.isHeaderValue else { throw .invalidAccessToken(status: nil) }
        var urlRequest = URLRequest(url: try url(for: request))
        urlRequest.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        urlRequest.setValue("application/json", forHTTPHeaderField: "Accept")
        return urlRequest
    }

    private func url(for request: OVPRequest) throws(OVPError) -> URL {
        guard baseURL.isHTTP, !(baseURL.host() ?? "").isEmpty,
            var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        else { throw .network(reason: "The platform's address is not that of a server.", url: baseURL.redacted) }
        var segments = components.percentEncodedPath.split(separator: "/").map(String.init)
        for (name, id) in [("media", request.mediaId), ("players", request.playerId)] {
            // Dots are folders however they are encoded (RFC 3986, section 6.2.2.3).
            guard !["", ".", ".."].contains(id), let segment = id.percentEncoded else { throw .notFound }
            segments += [name, segment]
        }
        components.percentEncodedPath = "/" + (segments + ["config.json"]).joined(separator: "/")
        guard let url = components.url else { throw .notFound }
        return url
    }
}

extension String {
    /// With only the unreserved characters of RFC 3986, section 2.3, as they are.
    fileprivate var percentEncoded: String? {
        addingPercentEncoding(
            withAllowedCharacters: CharacterSet(
                charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"))
    }

    /// Whether a header can hold it without being taken for more than one.
    fileprivate var isHeaderValue: Bool {
        !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
