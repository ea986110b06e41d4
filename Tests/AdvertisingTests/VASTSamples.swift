import Foundation

/// Documents of the tests.
enum VASTSamples {
    /// A document with one advertisement.
    ///
    /// - Parameters:
    ///   - server: the trackers' and files' address, without a slash at its end.
    ///   - linear: the content of the linear part.
    static func inline(
        version: String = "4.2", id: String = "ad", sequence: Int? = nil, server: String = "http://ads.test",
        skip: String? = nil, linear: String? = nil, extra: String = ""
    ) -> String {
        "<VAST version=\"\(version)\">\(ad(id: id, sequence: sequence, server: server, skip: skip, linear: linear, extra: extra))</VAST>"
    }

    static func ad(
        id: String = "ad", sequence: Int? = nil, server: String = "http://ads.test", skip: String? = nil,
        linear: String? = nil, extra: String = "", duration: String = "00:00:02", file: String = "ad.mp4"
    ) -> String {
        let events = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "pause", "resume"]
        let tracking = events.map { "<Tracking event=\"\($0)\">\(server)/\(id)/\($0)</Tracking>" }.joined()
        let part =
            linear ?? """
                <Duration>\(duration)</Duration>
                <TrackingEvents>\(tracking)</TrackingEvents>
                <VideoClicks>
                  <ClickThrough><![CDATA[http://shop.test/?a=1&b=2]]></ClickThrough>
                  <ClickTracking>\(server)/\(id)/click</ClickTracking>
                </VideoClicks>
                <MediaFiles>
                  <MediaFile delivery="progressive" type="video/mp4" width="320" height="180" bitrate="400">\(server)/\(file)</MediaFile>
                </MediaFiles>
                """
        return """
            <Ad id="\(id)"\(sequence.map { " sequence=\"\($0)\"" } ?? "")><InLine>
              <AdSystem>Test server</AdSystem><AdTitle>Title of \(id)</AdTitle>
              <Error>\(server)/\(id)/error?code=[ERRORCODE]</Error>
              <Impression>\(server)/\(id)/impression</Impression>\(extra)
              <Creatives><Creative id="c1"><Linear\(skip.map { " skipoffset=\"\($0)\"" } ?? "")>\(part)</Linear></Creative></Creatives>
            </InLine></Ad>
            """
    }

    static func wrapper(to address: String, attributes: String = "", server: String = "http://wrap.test") -> String {
        """
        <VAST version="3.0"><Ad id="w"><Wrapper\(attributes)>
          <AdSystem>Wrapper</AdSystem><VASTAdTagURI><![CDATA[\(address)]]></VASTAdTagURI>
          <Error>\(server)/error?code=[ERRORCODE]</Error><Impression>\(server)/impression</Impression>
          <Creatives><Creative><Linear><TrackingEvents>
            <Tracking event="start">\(server)/start</Tracking>
          </TrackingEvents></Linear></Creative></Creatives>
        </Wrapper></Ad></VAST>
        """
    }
}
