#if VLC
    import Playback

    /// How the servers of one item are asked.
    struct HTTPAccess: Sendable {
        let retry: RetryPolicy
        let security: MediaSecurityPolicy
        let cookies: CookieJar
    }
#endif
