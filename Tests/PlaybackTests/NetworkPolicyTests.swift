import Foundation
import Playback
import Testing

@Suite struct NetworkPolicyTests {
    private static let url = URL(string: "https://user:secret@host/film.mp4?token=1")!
    private static let lost = PlaybackError(.connectionLost, url: url)

    @Test(arguments: [Double.infinity, .nan, -1, 1e300])
    func everyDelayOfAPolicyIsFinite(value: Double) {
        let properties: [WritableKeyPath<RetryPolicy, Double>] = [
            \.firstDelay, \.backoff, \.longestDelay, \.jitter, \.giveUpAfter, \.readTimeout,
        ]
        for property in properties {
            var policy = RetryPolicy.standard
            policy.giveUpAfter = .infinity
            policy.longestDelay = .infinity
            policy[keyPath: property] = value
            for attempt in 0..<8 {
                let delay = policy.delay(before: attempt, after: Self.lost, elapsed: 1) ?? 0
                #expect((0...86400).contains(delay), "\(property) \(attempt)")
            }
        }
    }

    @Test func delaysGrowUpToTheLongestAndEndWithTheTime() {
        let policy = RetryPolicy.standard
        let delays = (0..<7).map { policy.delay(before: $0, after: Self.lost, elapsed: 0, chance: 0.5) }
        #expect(delays == [0, 0.25, 0.5, 1, 2, 4, 4])
        #expect(policy.delay(before: 3, after: Self.lost, elapsed: 9, chance: 0.5) == 1)
        #expect(policy.delay(before: 3, after: Self.lost, elapsed: 9.1, chance: 0.5) == nil)
    }

    @Test func aDelayVariesByItsJitter() throws {
        for _ in 0..<100 {
            let delay = try #require(RetryPolicy.standard.delay(before: 3, after: Self.lost, elapsed: 0))
            #expect(delay >= 0.8 && delay <= 1.2)
        }
    }

    @Test func onlyTemporaryErrorsAreRetried() {
        let missing = PlaybackError(.httpStatus, url: Self.url, httpStatus: 404)
        #expect(RetryPolicy.standard.delay(before: 0, after: missing, elapsed: 0) == nil)
        #expect(RetryPolicy.none.delay(before: 0, after: Self.lost, elapsed: 0) == nil)
        var policy = RetryPolicy.standard
        policy.codes = [.httpStatus]
        #expect(policy.covers(missing))
        #expect(!policy.covers(Self.lost))
    }

    @Test(arguments: [
        "vlc://quit", "screen://", "v4l2:///dev/video0", "dvd:///", "concat:///a", "shell:///ls", "data:,x",
    ])
    func otherSchemesAreNotOpened(address: String) throws {
        let url = try #require(URL(string: address))
        #expect(MediaSecurityPolicy.standard.error(for: url)?.code == .unsupportedScheme)
        #expect(MediaSecurityPolicy.standard.error(for: url, from: Self.url)?.code == .addressForbidden)
    }

    @Test func aStreamNamesNoFilesAndAFileMayNameBoth() {
        let (file, web) = (URL(filePath: "/etc/passwd"), URL(string: "http://other/a")!)
        let policy = MediaSecurityPolicy.standard
        #expect(policy.error(for: file) == nil)
        #expect(policy.error(for: file, from: web)?.code == .addressForbidden)
        #expect(policy.error(for: web, from: Self.url) == nil)
        #expect(policy.error(for: file, from: file) == nil)
        #expect(policy.error(for: web, from: file) == nil)
        #expect(MediaSecurityPolicy(allowsLocalFilesFromNetwork: true).error(for: file, from: web) == nil)
        #expect(MediaSecurityPolicy.httpsOnly.error(for: web, from: Self.url)?.code == .addressForbidden)
    }

    @Test func errorsHideCredentialsAndQueries() throws {
        let error = try #require(MediaSecurityPolicy.standard.error(for: URL(filePath: "/etc/passwd"), from: Self.url))
        #expect(error.url == "https://host/film.mp4")
        for text in [error.message, String(describing: error)] {
            #expect(!text.contains("secret") && !text.contains("token"))
        }
    }

    @Test func retriesLastAsLongAsTheHostWants() {
        var policy = RetryPolicy()
        policy.giveUpAfter = 300
        let error = PlaybackError(.connectionRefused, url: Self.url)
        var (attempts, elapsed) = (0, 0.0)
        while let delay = policy.delay(before: attempts, after: error, elapsed: elapsed) {
            (attempts, elapsed) = (attempts + 1, elapsed + delay)
        }
        #expect(elapsed > 290)
        policy.attempts = 8
        #expect(policy.delay(before: 7, after: error, elapsed: 0) != nil)
        #expect(policy.delay(before: 8, after: error, elapsed: 0) == nil)
    }

    @Test func policiesArePlainData() throws {
        var item = PlayerItem(url: Self.url)
        item.retryPolicy.giveUpAfter = 300
        item.retryPolicy.codes = [.timedOut]
        item.securityPolicy = .httpsOnly
        let copy = try JSONDecoder().decode(PlayerItem.self, from: JSONEncoder().encode(item))
        #expect(copy == item)
    }
}
