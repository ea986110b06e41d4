import Foundation
import Testing

@testable import FlowplayerSDK

@Suite struct OVPConfigTests {
    private func config(_ json: String) throws -> OVPConfig {
        try OVPConfig.read(OVPConfig.self, from: Data(json.utf8))
    }

    private static let whole = """
        {
          "ima": {
            "locale": "de", "redirects": 4,
            "ads": [
              {"timeout": 500, "time": 30000, "adTag": "pre", "adTagId": 7, "adTagUrl": "https://ads.example/v"},
              {"adTag": "post"}
            ]
          },
          "metadata": {
            "mediaId": "m", "siteGroupId": 1, "siteId": 2.5, "playerId": "p", "categoryId": 9007199254740993,
            "categoryName": "News", "title": "Title", "description": "Words"
          },
          "subtitles": [
            {"id": 1, "src": "https://media.example/de.vtt", "lang": "de", "label": "Deutsch", "default": true},
            {"url": "/srv/en.srt", "title": "English"}
          ],
          "live": false, "dvr": true, "autoPlay": true, "loop": false, "poster": "https://media.example/p.jpg",
          "src": ["https://media.example/clip.mp4", {"src": "https://media.example/a", "type": "video/mp4"}],
          "ratio": 0.5625, "ui": 3, "lang": "de", "preload": "auto", "unknown": {"a": []}
        }
        """

    @Test func everythingIsRead() throws {
        let config = try config(Self.whole)
        let ads = try #require(config.ima?.ads)
        #expect(config.ima?.locale == "de")
        #expect(config.ima?.redirects == 4)
        var first = OVPAd(adTag: "pre")
        first.adTagId = "7"
        first.adTagUrl = URL(string: "https://ads.example/v")
        first.time = 30000
        first.timeout = 500
        var second = OVPAd(adTag: "post")
        second.timeout = 8000
        #expect(ads == [first, second])
        let metadata = try #require(config.metadata)
        #expect(metadata.mediaId == "m")
        #expect(metadata.siteGroupId == "1")
        #expect(metadata.siteId == "2.5")
        #expect(metadata.categoryId == "9007199254740993")
        #expect(metadata.categoryName == "News")
        #expect(metadata.title == "Title")
        #expect(metadata.description == "Words")
        #expect(
            config.subtitles?.tracks == [
                .init(id: "1", src: "https://media.example/de.vtt", lang: "de", label: "Deutsch", isDefault: true),
                .init(src: "/srv/en.srt", label: "English"),
            ])
        #expect(config.live == false)
        #expect(config.dvr == true)
        #expect(config.autoPlay == true)
        #expect(config.loop == false)
        #expect(config.src == ["https://media.example/clip.mp4", "https://media.example/a"])
        #expect(config.sources?.map(\.type) == [nil, "video/mp4"])
        #expect(config.ratio == "0.5625")
        #expect(config.ui == 3)
        #expect(config.lang == "de")
        #expect(config.preload == "auto")
    }

    @Test(arguments: [whole, "{}", #"{"src": "a", "subtitles": {"tracks": []}, "ima": {}, "metadata": {}}"#])
    func whatIsWrittenIsReadBackTheSame(json: String) throws {
        let config = try config(json)
        #expect(try JSONDecoder().decode(OVPConfig.self, from: JSONEncoder().encode(config)) == config)
    }

    @Test func nothingIsSaidByNothing() throws {
        let empty = try config("{}")
        #expect(empty == OVPConfig())
        #expect(empty.mediaURL == nil)
        #expect(empty.posterURL == nil)
        #expect(empty.externalSubtitles.isEmpty)
        #expect(try config(#"{"src": null, "subtitles": null, "ratio": null, "autoPlay": null, "ima": null}"#) == empty)
    }

    @Test(arguments: [
        (#""a.mp4""#, ["a.mp4"]), (#"["a.mp4", "b.mp4"]"#, ["a.mp4", "b.mp4"]), ("[]", []),
        (#"[{"src": "a"}, {"src": "b", "type": "video/mp4"}]"#, ["a", "b"]), (#"{"src": "a"}"#, ["a"]),
    ])
    func sourcesHaveSeveralForms(json: String, addresses: [String]) throws {
        #expect(try config(#"{"src": \#(json)}"#).src == addresses)
    }

    @Test(arguments: [
        #"[{"src": "a.vtt"}]"#, #"{"tracks": [{"src": "a.vtt"}]}"#, #"{"tracks": [{"url": "a.vtt"}], "other": 1}"#,
    ])
    func subtitlesHaveSeveralForms(json: String) throws {
        #expect(try config(#"{"subtitles": \#(json)}"#).subtitles?.tracks == [OVPConfig.SubtitleFile(src: "a.vtt")])
    }

    @Test(arguments: ["autoPlay", "autoplay", "auto_play"])
    func autoPlayHasSeveralSpellings(key: String) throws {
        #expect(try config(#"{"\#(key)": true}"#).autoPlay == true)
    }

    @Test(arguments: [(#""56.25%""#, "56.25%"), ("1", "1"), ("1.0", "1"), ("0.75", "0.75")])
    func theRatioMayBeANumber(json: String, ratio: String) throws {
        #expect(try config(#"{"ratio": \#(json)}"#).ratio == ratio)
    }

    @Test(arguments: [
        ("", "It is empty."),
        ("{", "It is not JSON."),
        ("<html>", "It is not JSON."),
        ("[]", "It must be an object."),
        (#""text""#, "It must be an object."),
        (#"{"src": 5}"#, "`src` must be a string."),
        (#"{"src": ["a", 5]}"#, "`src[1]` must be a string."),
        (#"{"src": [{"type": "video/mp4"}]}"#, "`src[0].src` is missing."),
        (#"{"src": [null]}"#, "`src[0]` is null."),
        (#"{"live": "yes"}"#, "`live` must be true or false."),
        (#"{"ui": "3"}"#, "`ui` must be a whole number."),
        (#"{"ui": 1.5}"#, "`ui` must be a whole number."),
        (#"{"ima": {"redirects": 1e99}}"#, "`ima.redirects` must be a whole number."),
        (#"{"poster": []}"#, "`poster` must be a string."),
        (#"{"subtitles": "de"}"#, "`subtitles` must be a list."),
        (#"{"subtitles": [{"lang": "de"}]}"#, "`subtitles[0].src` is missing."),
        (
            #"{"subtitles": {"tracks": [{"src": "a", "default": 1}]}}"#,
            "`subtitles.tracks[0].default` must be true or false."
        ),
        (#"{"metadata": {"title": []}}"#, "`metadata.title` must be a string."),
        (#"{"ima": []}"#, "`ima` must be an object."),
        (#"{"ima": {"ads": [{"adTag": "a"}, {"timeout": 5}]}}"#, "`ima.ads[1].adTag` is missing."),
        (#"{"ima": {"ads": [{"adTag": "a", "timeout": "5 s"}]}}"#, "`ima.ads[0].timeout` must be a whole number."),
        (
            #"{"ima": {"ads": [{"adTag": "a", "adTagUrl": ""}]}}"#,
            "`ima.ads[0].adTagUrl` has an invalid value."
        ),
    ])
    func whatIsWrongIsSaidWithItsPlace(json: String, reason: String) {
        #expect(throws: OVPError.invalidConfig(reason: reason)) { try config(json) }
    }

    @Test(
        arguments: [
            (
                [("https://a.example/clip.mp4", nil), ("https://a.example/live.M3U8?t=1", nil)],
                "https://a.example/live.M3U8?t=1"
            ),
            (
                [("https://a.example/clip.mp4", "video/mp4"), ("https://a.example/live", "application/x-mpegURL")],
                "https://a.example/live"
            ),
            (
                [("https://a.example/clip.mp4?f=.m3u8", nil), ("https://b.example/clip.mp4", nil)],
                "https://a.example/clip.mp4?f=.m3u8"
            ),
            (
                [
                    ("", nil), ("clip.m3u8", nil), ("https:///clip.m3u8", nil), ("//a.example/a.m3u8", nil),
                    ("/srv/a b#1.mp4", nil),
                ], "file:///srv/a%20b%231.mp4"
            ),
            ([("/srv/a.mp4", nil), ("rtsp://cam.example/1", nil)], "file:///srv/a.mp4"),
            ([("file:///srv/a.m3u8", nil)], "file:///srv/a.m3u8"),
            ([("clip: one.mp4", nil)], nil),
            ([], nil),
        ] as [([(String, String?)], String?)])
    func hlsIsPlayedIfThereIsSomeElseTheFirst(sources: [(String, String?)], expected: String?) {
        var config = OVPConfig()
        config.sources = sources.map { OVPConfig.Source(src: $0.0, type: $0.1) }
        #expect(config.mediaURL?.absoluteString == expected)
    }

    @Test(arguments: [
        ("clip.mp4", "file:///srv/media/clip.mp4"),
        ("hls/what? 100% #1.mp4", "file:///srv/media/hls/what%3F%20100%25%20%231.mp4"),
        ("clip: one.mp4", "file:///srv/media/clip:%20one.mp4"),
        ("/other/clip.mp4", "file:///other/clip.mp4"),
        ("file:///other/clip.mp4", "file:///other/clip.mp4"),
        ("https://a.example/a.mp4?b#c", "https://a.example/a.mp4?b#c"),
        ("//a.example/a.mp4", "https://a.example/a.mp4"),
    ])
    func inAFolderAnAddressIsAPath(address: String, expected: String) {
        for base in ["/srv/media", "/srv/media/"] {
            let config = OVPConfig(src: [address]).resolved(against: URL(filePath: base))
            #expect(config.mediaURL?.absoluteString == expected)
        }
    }

    @Test(
        arguments: [
            ("clip 1.mp4", "https://a.example/m/p/clip%201.mp4"),
            ("../clip.mp4?t=1", "https://a.example/m/clip.mp4?t=1"),
            ("/clip.mp4", "https://a.example/clip.mp4"),
            ("//b.example/clip.mp4", "https://b.example/clip.mp4"),
            ("http://b.example/clip.mp4", "http://b.example/clip.mp4"),
            ("", nil), ("file:///etc/passwd", nil), ("FILE:///etc/passwd", nil), ("file:/etc/passwd", nil),
        ] as [(String, String?)])
    func onAServerAnAddressNamesNothingOnThisMachine(address: String, expected: String?) throws {
        let base = try #require(URL(string: "https://a.example/m/p/config.json?v=1"))
        var config = OVPConfig(src: [address])
        config.poster = address
        config.subtitles = OVPConfig.Subtitle(tracks: [.init(src: address, label: "English", isDefault: true)])
        let resolved = config.resolved(against: base)
        #expect(resolved.mediaURL?.absoluteString == expected)
        #expect(resolved.posterURL?.absoluteString == expected)
        #expect(resolved.externalSubtitles.map(\.url.absoluteString) == (expected.map { [$0] } ?? []))
        #expect(resolved.resolved(against: base) == resolved)
    }

    @Test func subtitlesAreGivenAsAPlayerTakesThem() throws {
        let config = try config(Self.whole)
        let german = try #require(URL(string: "https://media.example/de.vtt"))
        #expect(
            config.externalSubtitles == [
                ExternalSubtitle(url: german, name: "Deutsch", lang: "de"),
                ExternalSubtitle(url: URL(filePath: "/srv/en.srt"), name: "English"),
            ])
    }

    @Test func aConfigThatIsTooLongIsRefused() {
        let json = #"{"src": ""# + String(repeating: "a", count: OVPConfig.byteLimit) + "\"}"
        #expect(throws: OVPConfig.tooLong) { try config(json) }
    }
}
