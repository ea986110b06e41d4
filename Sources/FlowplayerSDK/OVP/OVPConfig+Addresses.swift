import Foundation

extension OVPConfig {
    /// The address to play: the first HLS source, by its path or type, or else the first source.
    ///
    /// `nil` if no source has an absolute address or an absolute path.
    public var mediaURL: URL? {
        let playable = (sources ?? []).compactMap { source in Self.url(source.src).map { (source, $0) } }
        let chosen = playable.first { source, url in source.isHLS(at: url) } ?? playable.first
        return chosen?.1
    }

    /// The image to show before playback. `nil` without an absolute address or path.
    public var posterURL: URL? { poster.flatMap(Self.url) }

    /// The subtitles for a player. Subtitles without an absolute address or path are omitted.
    public var externalSubtitles: [ExternalSubtitle] {
        (subtitles?.tracks ?? []).compactMap { subtitle in
            Self.url(subtitle.src).map { ExternalSubtitle(url: $0, name: subtitle.label, lang: subtitle.lang) }
        }
    }

    /// Returns the config with absolute addresses of sources, poster and subtitles.
    ///
    /// - Parameter base: the origin of the config. For a local folder, addresses without a scheme are paths, and `#` and `?` are part of
    ///   the file name. For a server, addresses are resolved by RFC 3986, section 5. `file:` addresses from a server are removed.
    public func resolved(against base: URL) -> OVPConfig {
        var config = self
        config.sources = sources?.compactMap { source in
            Self.resolve(source.src, base).map { Source(src: $0, type: source.type) }
        }
        config.poster = poster.flatMap { Self.resolve($0, base) }
        config.subtitles?.tracks = (subtitles?.tracks ?? []).compactMap { file in
            guard let src = Self.resolve(file.src, base) else { return nil }
            var file = file
            file.src = src
            return file
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

    /// Returns `nil` for addresses that are not allowed.
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
