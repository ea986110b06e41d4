#if VLC
import Playback

/// How the servers of one item are asked.
package struct HTTPRequestOptions: Sendable {
    package let retry: RetryPolicy
    package let security: MediaSecurityPolicy
    package let cookies: CookieJar

    package init(retry: RetryPolicy, security: MediaSecurityPolicy, cookies: CookieJar) {
        (self.retry, self.security, self.cookies) = (retry, security, cookies)
    }
}
#endif
