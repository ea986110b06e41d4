import Foundation
import Playlists
import Testing

@Suite struct PLSTests {
    @Test func aRadioStationsListIsRead() throws {
        let playlist = try read(
            """
            [playlist]
            numberofentries=2
            File1=http://ice.example:8000/live-128
            Title1=Station (#1 - 5/100) Live
            Length1=-1
            File2=http://ice.example:8000/live-64.aac
            Title2=Station, small
            Length2=-1
            Version=2
            """, at: remote("station.pls"))
        #expect(playlist.format == .pls)
        #expect(playlist.places == ["http://ice.example:8000/live-128", "http://ice.example:8000/live-64.aac"])
        #expect(playlist.titles == ["Station (#1 - 5/100) Live", "Station, small"])
        #expect(playlist.problems.isEmpty)
    }

    @Test func numbersMayHaveHolesAndComeInAnyOrderAndCase() throws {
        let playlist = try read(
            "[Playlist]\r\nTITLE10=Ten\r\nfile10=ten.mp3\r\nFILE2 = two.mp3\r\nfile007=seven.mp3\r\nTitle2= Two \r\nTitle5=x"
        )
        #expect(playlist.places == ["/music/lists/two.mp3", "/music/lists/seven.mp3", "/music/lists/ten.mp3"])
        #expect(playlist.titles == ["Two", nil, "Ten"])
        #expect(playlist.problems.isEmpty)
    }

    @Test func brokenEntriesAreReportedAndTheRestIsKept() throws {
        let playlist = try read(
            """
            [playlist]
            File1=one.mp3
            File1=again.mp3
            File=none.mp3
            Filex=odd.mp3
            File99999999999999999999=far.mp3
            File2=
            File3=C:\\Music\\three.mp3
            ; File4=comment.mp3
            nonsense
            File5=five.mp3
            [other]
            File6=six.mp3
            """)
        #expect(playlist.places == ["/music/lists/one.mp3", "/music/lists/five.mp3"])
        #expect(playlist.problems.allSatisfy { $0.isSkipped })
        #expect(Set(playlist.problems.compactMap(\.line)) == [3, 4, 5, 6, 7, 8])
        #expect(playlist.skipped.contains("line 3: There are two entries with this number. (again.mp3)"))
        #expect(playlist.skipped.contains("line 5: The entry has no number. (odd.mp3)"))
        #expect(playlist.skipped.contains("line 7: The entry is empty."))
    }

    @Test func theHeaderCountsForMoreThanTheExtension() throws {
        #expect(try read("\n[PLAYLIST]\nFile1=a.mp3", at: local("list.m3u")).format == .pls)
        #expect(try read("File1=a.mp3", at: local("list.pls")).places == ["/music/lists/a.mp3"])
        #expect(throws: PlaylistError.self) { try read("key=value", at: local("list.pls")) }
    }

    @Test func namesMayHoldEqualsSignsAndLatin1() throws {
        let data = try #require("[playlist]\nFile1=a=b é.mp3".data(using: .isoLatin1))
        let playlist = try Playlist(data: data, url: local("list.pls"))
        #expect(playlist.places == ["/music/lists/a=b é.mp3"])
    }
}
