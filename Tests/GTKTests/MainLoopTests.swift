#if GTK
import Foundation
import TestSupport
import Testing

/// A program under GTK's main loop.
struct MainLoopTests {
    @Test func everythingRunsOnTheMainThread() async throws {
        let desktop = try await GTKDesktop()
        let result = try await desktop.command(built: "gtk-program", ["loop"]).run()
        let lines = result.output.split(separator: "\n").sorted()
        #expect(
            lines == [
                "background main", "dispatch timer main", "hop main", "queue main", "sleep main", "timer main",
            ])
        #expect(result.status == 3, "\(result.errors)")
    }

    @Test func everythingRunsWhileAMenuIsOpen() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await MediaFixtures.shared.long(seconds: 120)
        let result = try await desktop.command(built: "gtk-program", ["menu", clip.path()]).run()
        let lines = result.output.split(separator: "\n").sorted()
        #expect(
            lines == [
                "background main menu", "dispatch timer main menu", "hop main menu", "queue main menu",
                "sleep main menu", "timer main menu",
            ])
        #expect(result.status == 3, "\(result.errors)")
    }

    @Test func aSeekWhilePausedPaintsAFrame() async throws {
        let desktop = try await GTKDesktop()
        // On a busy machine a short clip may end before ten of its frames are painted.
        let clip = try await MediaFixtures.shared.long(seconds: 60)
        let result = try await desktop.command(built: "gtk-program", ["pause", clip.path()]).run()
        #expect(result.output == "painted after a seek\n", "\(result.errors)")
    }

    @Test func aPausedPlayerPaintsNothing() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await MediaFixtures.shared.long(seconds: 60)
        let result = try await desktop.command(built: "gtk-program", ["still", clip.path()]).run()
        #expect(result.output == "painted 0\n", "\(result.errors)")
    }

    @Test func aDisplayThatGoesAwayEndsTheProgramWithAMessage() async throws {
        let desktop = try await GTKDesktop()
        let (program, _) = try await desktop.play(try await MediaFixtures.shared.long(seconds: 60))
        desktop.screen.crash()
        let result = try await program.result
        #expect(result.status == 69)
        #expect(result.errors.contains("The display has gone. Start the program again when there is one."))
    }

    @Test func aClosedWindowReleasesItsPlayer() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await MediaFixtures.shared.long(seconds: 60)
        let result = try await desktop.command(built: "gtk-program", ["close", clip.path()]).run()
        #expect(
            result.output == """
                flowplayerViewDidChangeVisibility false
                flowplayerViewDidChangeLifecycle destroyed
                released, open windows: 1
                flowplayerViewDidChangeVisibility false
                flowplayerViewDidChangeLifecycle destroyed

                """)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func aWindowThatIsClosedMayCloseOthers() async throws {
        let desktop = try await GTKDesktop()
        let result = try await desktop.command(built: "gtk-program", ["close all"]).run()
        #expect(result.output == "open windows: [\"2\", \"3\"]\nopen windows: 0\n")
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func withoutADisplayTheProgramSaysSo() async throws {
        let result = try await Command(built: "gtk-player", ["/no/such/file.mp4"]).run()
        #expect(result.status == 69)
        #expect(result.errors.contains("There is no display. Set WAYLAND_DISPLAY or DISPLAY to open a window."))
    }
}
#endif
