import EventLog
import Foundation
import Testing

@Suite struct EventLogReaderTests {
    private static let good = #"{"event":"state","item":1,"player":"p","position":0,"state":"load","t":0}"#

    @Test(arguments: [
        (#"{"event":"state","item":1,"player":"p","position":0,"state":"lod","t":0}"#, "there is no state \"lod\""),
        (#"{"event":"stat","item":1,"player":"p","t":0}"#, "there is no event \"stat\""),
        (#"{"event":"position","item":1,"player":"p","t":0}"#, "position is missing"),
        (#"{"event":"position","item":"x","player":"p","position":1,"t":0}"#, "item has the wrong type"),
        (#"{"event":"position","item":1,"player":"p","position":-1,"t":0}"#, "position must not be negative"),
        (#"{"event":"state","item":1,"#, "not a JSON object"),
        (#"{"event":"state" "item":1}"#, "not a JSON object"),
        (#"hello"#, "not a JSON object"),
        (#"[1]"#, "not a JSON object"),
        (
            #"{"event":"tracks","item":1,"player":"p","audio":[{"id":1,"name":2}],"subtitles":[],"t":0}"#,
            "audio.Index 0.name has the wrong type"
        ),
    ])
    func aBrokenLineIsPointedAt(line: String, message: String) {
        let error = #expect(throws: EventLogSyntaxError.self) {
            try EventLogReader.entries(in: Self.good + "\n\n" + line + "\n")
        }
        #expect(error?.line == 3)
        #expect(error?.message == message)
    }

    @Test func aLineStillBeingWrittenIsLeftOut() throws {
        #expect(try EventLogReader.entries(in: Self.good + "\r\n" + #"{"event":"#).count == 1)
        #expect(try EventLogReader.entries(in: "").isEmpty)
    }

    @Test func aPieceCountsFromItsFirstLineAndEndsAtTheFirstBrokenOne() {
        let piece = EventLogReader.piece(Data((Self.good + "\n\n" + Self.good + "\nhello\n").utf8), firstLine: 7)
        #expect(piece.entries.map(\.line) == [7, 9])
        #expect(piece.error?.line == 10)
    }

    @Test func depthIsNoTrap() {
        let line = String(repeating: "[", count: 100_000) + "\n"
        let error = #expect(throws: EventLogSyntaxError.self) { try EventLogReader.entries(in: line) }
        #expect(error?.line == 1)
    }
}
