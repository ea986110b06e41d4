import Foundation
import Playback
import Testing

/// The messages of errors.
@Suite struct PlaybackErrorTests {
    private static let lost = PlaybackError(.connectionLost, url: nil, cause: "Recv failure: Connection reset by peer")

    @Test func aMessageHasCauseAttemptsAndAdvice() {
        #expect(Self.lost.message == "The connection was lost. Check the network and try again.")
        let error = Self.lost.after(.retried(times: 5, seconds: 9.81))
        #expect(
            error.message
                == "The connection was lost. Retried 5 times in 9.8 s. Check the network and try again."
        )
        #expect(error.summary == "The connection was lost.")
        #expect(error.cause == "Recv failure: Connection reset by peer")
    }

    @Test func repeatedAttemptsAreNamedOnce() {
        let error = Self.lost.after(.retried(times: 1, seconds: 0.2)).after(.retried(times: 2, seconds: 8))
            .after(.askedForAddress).after(.askedForAddress)
        #expect(error.tried == [.retried(times: 3, seconds: 8), .askedForAddress])
    }

    @Test(arguments: [
        ("cannot open https://user:secret@host/film.mp4?token=1", "cannot open https://host/film.mp4"),
        ("'http://host/a?b#c' is gone", "'http://host/a' is gone"),
        ("Failed to connect to host port 80", "Failed to connect to host port 80"),
        ("rtsp://[bad?token=1", "an address"),
    ])
    func causesKeepCredentialsAndQueriesToThemselves(cause: String, kept: String) {
        #expect(PlaybackError(.connectionFailed, url: nil, cause: cause).cause == kept)
    }

    @Test func everyPartSurvivesJSON() throws {
        let error = PlaybackError(
            .httpStatus, url: URL(string: "https://host/a?b"), httpStatus: 503, detail: "No.", cause: "Why"
        ).after(.waited(seconds: 3)).after(.askedForAddress)
        let copy = try JSONDecoder().decode(PlaybackError.self, from: JSONEncoder().encode(error))
        #expect(copy == error)
        #expect(copy.message == error.message)
    }
}
