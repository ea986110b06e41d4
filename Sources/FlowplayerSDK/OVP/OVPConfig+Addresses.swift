import Foundation

extension OVPConfig {
    /// What is to be played: the first source that is HLS, by its path or type, else the first of all.
    ///
    /// `nil` if no source has an address that is absolute or a path that begins with a slash.
    public var mediaURL: URL? {
        let playable = (sources ?? []).compactMap { source in Self.url(source.src).map { (source, $0) } }
        let chosen = playable.first { source, url in source.isHLS(at: url) } ?? playable.first
        return chosen?.1
    }

    /// The picture to show before playback; `nil` without an address that is absolute or a path that begins with a
    /// slash.
    public var posterURL: URL? { poster.flatMap(Self.url) }

    /// The subtitles as a player takes them, without those whose address is neither absolute nor a path that begins
    /// with a slash.
    public var externalSubtitles: [ExternalSubtitle] {
        (subtitles ?? []).compactMap { subtitle in
            Self.url(subtitle.src).map { ExternalSubtitle(url: $0, name: subtitle.label, lang: subtitle.lang) }
        }
    }

    /// The same with its relative addresses of media, poster and subtitles made absolute.
    ///
    /// - Parameter base: where the config comes from. A local folder, against which addresses without a scheme are
    ///   paths, `#` and `?` included; or an address on a server, by RFC 3986, section 5. What comes from a server may
    ///   name nothing on this machine: sources and subtitles at `file:`, and such a poster, are left out then.
    public func resolved(against base: URL) -> OVPConfig {
        var config = self
        config.sources = sources?.compactMap { source in
            Self.resolve(source.src, base).map { Source(src: $0, type: source.type) }
        }
        config.poster = poster.flatMap { Self.resolve($0, base) }
        config.subtitles = subtitles?.compactMap { subtitle in
            guard let src = Self.resolve(subtitle.src, base) else { return nil }
            var subtitle = subtitle
            subtitle.src = src
            return subtitle
        }
        return config
    }

    private static func url(_ address: String) -> URL? {
        if address.hasPrefix("/"), !address.hasPrefix("//") { return URL(filePath: address) }
        guard let url = URL(string: address), let scheme = url.scheme, address.dropFirst(scheme.count).hasPrefix("://")
        else { return nil }
        let needsHost = ["http", "https"].contains(scheme.lowercased())
        return needsHost && (url.host() ?? "").isEmpty ? nil : url
    }

    /// `nil` for what must not be kept.
    private static func resolve(_ address: String, _ base: URL) -> String? {
        if address.isEmpty { return address }
        if base.isFileURL {
            if address.hasPrefix("//") { return "https:" + address }
            return (url(address) ?? base.appending(path: address)).absoluteString
        }
        guard let url = URL(string: address, relativeTo: base)?.absoluteURL, !url.isFileURL else { return nil }
        return url.absoluteString
    }
}

extension OVPConfig.Source {
    fileprivate func isHLS(at url: URL) -> Bool {
        url.path().lowercased().hasSuffix(".m3u8") || type?.lowercased().contains("mpegurl") == true
    }
}
