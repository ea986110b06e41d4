import Foundation

/// Small requests: playlists, subtitles and configs, limited in time, size and redirects.
///
/// `MediaTransport` makes them with the HTTP client that also loads media. A build without the trait `VLC` has no libcurl, and uses
/// `URLSession`; see decision 22.
package enum HTTPFetch {
    package struct Request: Sendable {
        package let url: URL
        package let headers: [String: String]
        /// The size limit of the body, in bytes.
        package let limit: Int
        /// The time from now to the last byte.
        package let timeout: Duration
        package let redirects: Redirects

        package init(
            _ url: URL, headers: [String: String] = [:], upTo limit: Int, within timeout: Duration, redirects: Redirects
        ) {
            (self.url, self.headers, self.limit, self.timeout) = (url, headers, limit, timeout)
            self.redirects = redirects
        }
    }

    package struct Answer: Sendable {
        package let status: Int
        /// Empty if the status is an error.
        package let body: Data
        /// The address after redirects.
        package let url: URL

        package init(status: Int, body: Data, url: URL) { (self.status, self.body, self.url) = (status, body, url) }
    }

    package enum Failure: Error, Hashable {
        /// With a sentence for the user.
        case network(reason: String)
        /// The body is longer than the limit.
        case tooLong
    }

    /// The servers to which a redirect may lead.
    package enum Redirects: Sendable {
        /// Only the same server, because the request has a secret.
        case sameOrigin
        case anyServer
    }

    package static let redirectLimit = 5
}

extension HTTPFetch.Redirects {
    /// The reason of a redirect that is not followed.
    package var refusal: String {
        switch self {
        case .sameOrigin: "The server redirects to another one, which must not see this request."
        case .anyServer: "The server redirects to an address that is not allowed."
        }
    }
}
