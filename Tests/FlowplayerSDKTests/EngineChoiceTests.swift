import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import Testing

/// The engine that a name stands for.
@MainActor
@Suite struct EngineChoiceTests {
    private let registry = BackendRegistry()

    private func register(_ names: String..., isAutomatic: Bool = true) {
        for name in names {
            registry.register(
                BackendDescriptor(name: .named(name), summary: "", schemes: ["file"], isAutomatic: isAutomatic) {
                    UnavailableBackend(reason: "This is \(name).")
                })
        }
    }

    /// The message of an item's failure.
    private func message(_ name: BackendName, user: String? = nil) async throws -> String {
        let player = MediaPlayer(backend: registry.makeBackend(name, named: user))
        let recorder = EventRecorder(player)
        player.load(URL(filePath: "/clip.mp4"))
        #expect(await recorder.reaches(.failure))
        let error = try #require(recorder.errors.first)
        #expect(error.code == .backendUnavailable)
        return error.message
    }

    @Test func theDefaultIsTheUsersThenTheHostsThenLibVLCThenTheNewest() async throws {
        #expect(try await message(.default).hasPrefix("There is no engine vlc. A build with the trait VLC has it, "))
        register("first", "second")
        #expect(try await message(.default).hasPrefix("This is second."))
        register("vlc", "third")
        #expect(try await message(.default).hasPrefix("This is vlc."))
        register("default")
        #expect(try await message(.default).hasPrefix("This is default."))
        #expect(try await message(.default, user: "first").hasPrefix("This is first."))
        for user in ["", "default"] { #expect(try await message(.default, user: user).hasPrefix("This is default.")) }
        #expect(try await message(.named("third"), user: "first").hasPrefix("This is third."))
    }

    @Test func aBackendThatIsUsedByNameOnlyIsNeverTheDefault() async throws {
        register("simulated", isAutomatic: false)
        #expect(try await message(.default).contains("Choose one of: simulated."))
        #expect(try await message("simulated").hasPrefix("This is simulated."))
        register("first")
        #expect(try await message(.default).hasPrefix("This is first."))
    }

    @Test func anUnknownNameIsReportedWithTheKnownOnes() async throws {
        register("vlc", "another")
        register("isolated", isAutomatic: false)
        let choice = "Choose one of: another, auto, isolated, vlc."
        #expect(try await message("mpv").hasPrefix("There is no engine mpv. \(choice)"))
        #expect(
            try await message(.default, user: "mpv").hasPrefix(
                "FLOWPLAYER_ENGINE_NAME is mpv. There is no engine mpv. \(choice)"))
        #expect(
            try await message(.named("gstreamer")).hasPrefix(
                """
                There is no engine gstreamer. A build with the trait GStreamer has it, and needs libgstreamer1.0-dev \
                and libgstreamer-plugins-base1.0-dev. \(choice)
                """))
    }

    @Test func autoTriesTheDefaultFirst() async throws {
        register("isolated", isAutomatic: false)
        #expect(try await message(.auto).hasPrefix("There is no engine auto. Choose one of: isolated."))
        register("vlc", "another")
        #expect(registry.automaticDescriptors.map(\.name) == ["vlc", "another"])
        #expect(
            try await message(.auto).hasPrefix("This is another. The engine vlc reported: This is vlc."))
    }
}
