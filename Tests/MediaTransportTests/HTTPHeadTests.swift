import Foundation
import Testing

@testable import MediaTransport

@Suite struct HTTPHeadTests {
    private func head(_ status: Int, _ fields: [String: String]) -> HTTPHead {
        HTTPHead(status: status, url: URL(string: "http://host/a")!) { fields[$0] }
    }

    @Test func aWholeFileHasTheSizeOfItsHead() {
        let head = head(200, ["Content-Length": "1000", "Content-Type": "Video/MP4; codecs=x", "ETag": "\"a\""])
        #expect((head.start, head.size, head.isPart) == (0, 1000, false))
        #expect(head.contentType == "video/mp4")
        #expect(head.version == "\"a\"")
    }

    @Test func aPartHasItsStartAndTheSizeOfTheFile() {
        let part = head(206, ["Content-Range": "bytes 100-199/1000", "Content-Length": "100"])
        #expect((part.start, part.size, part.isPart) == (100, 1000, true))
        #expect(head(206, ["Content-Range": "bytes 100-199/*"]).size == nil)
    }

    @Test(arguments: [nil, "", "bytes", "bytes -5/10", "bytes a-b/c", "bytes 99999999999999999999-1/2"])
    func aPartWithoutAStartIsInvalid(field: String?) {
        #expect(head(206, field.map { ["Content-Range": $0] } ?? [:]).start == .max)
    }

    @Test(arguments: ["icy-name", "icy-br", "icy-pub"])
    func aStationDescribesItself(name: String) {
        #expect(head(200, [name: "1"]).isStation)
        #expect(head(200, [name: "1", "ETag": "a"]).mayBeEndless)
        #expect(!head(200, [name: "1", "Content-Length": "5"]).isStation)
        #expect(!head(200, [:]).isStation)
    }

    @Test func aPlaylistIsDetectedByItsFirstLine() {
        #expect(HTTPHead.isPlaylist(Array("#EXTM3U\n#EXT-X-VERSION:3".utf8)))
        #expect(HTTPHead.isPlaylist([0xEF, 0xBB, 0xBF] + Array("#EXTM3U".utf8)))
        #expect(!HTTPHead.isPlaylist(Array("ID3".utf8)))
    }

    @Test(arguments: [
        "<?xml ?><MPD>", " \r\n\t<MPD>", "\u{FEFF}<SmoothStreamingMedia>", "<html>", "<!--\u{410}\u{1B}--><MPD>",
    ])
    func markupIsDetected(text: String) {
        #expect(HTTPHead.isManifest(Array(text.utf8)))
        #expect(HTTPHead.isManifest(Array(text.data(using: .utf16BigEndian)!)))
        #expect(HTTPHead.isManifest([0xFF, 0xFE] + Array(text.data(using: .utf16LittleEndian)!)))
    }

    @Test func aSessionDescriptionIsDetected() { #expect(HTTPHead.isManifest(Array("v=0\r\no=- 0 0".utf8))) }

    @Test func aManifestMayFollowWhiteSpace() {
        #expect(HTTPHead.isBlank(Array(" \r\n".utf8)))
        #expect(!HTTPHead.isBlank(Array(" a".utf8)))
        #expect(!HTTPHead.isBlank([UInt8]()))
    }

    @Test func mediaAreNoManifest() {
        let frame: [UInt8] = [0x3C, 0x66, 0x05]
        for bytes: [UInt8] in [[0xFF, 0xFB, 0x90, 0x3C], [0, 0, 0, 0x3C, 0x66], Array("OggS<".utf8), frame, []] {
            #expect(!HTTPHead.isManifest(bytes))
        }
    }

    @Test func rangesAreReadAndWritten() {
        #expect(ByteRange("bytes=5-") == ByteRange(first: 5, last: nil))
        #expect(ByteRange("bytes=5-9")?.text == "5-9")
        for text in ["bytes=-5", "bytes=1-2,4-5", "lines=1-2", ""] { #expect(ByteRange(text) == nil) }
    }
}
