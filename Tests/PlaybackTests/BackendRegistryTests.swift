import Foundation
import Playback
import Testing

@MainActor
@Suite struct BackendRegistryTests {
    private func descriptor(
        _ name: BackendName, _ schemes: Set<String>, _ containers: Set<String>? = nil, summary: String = ""
    ) -> BackendDescriptor {
        BackendDescriptor(name: name, summary: summary, schemes: schemes, containers: containers) {
            UnavailableBackend(reason: "A test.")
        }
    }

    @Test func theNewestRegistrationOfANameCounts() {
        let registry = BackendRegistry()
        registry.register(descriptor("a", ["file"], summary: "old"))
        let token = registry.register(descriptor("a", ["file"], summary: "new"))
        #expect(registry.descriptor(named: "a")?.summary == "new")
        #expect(registry.descriptors.count == 1)
        token.cancel()
        #expect(registry.descriptor(named: "a")?.summary == "old")
    }

    @Test func aBackendIsSelectedByTheSchemeOfTheAddress() throws {
        let registry = BackendRegistry()
        registry.register(descriptor("files", ["file"]))
        registry.register(descriptor("web", ["http", "https"]))
        #expect(registry.descriptor(for: URL(filePath: "/a.mp4"))?.name == "files")
        #expect(registry.descriptor(for: try #require(URL(string: "HTTPS://host/a")))?.name == "web")
        #expect(registry.descriptor(for: try #require(URL(string: "gopher://host/a"))) == nil)
    }

    @Test(arguments: [
        ("file:///a.WAV", nil, "wav"), ("file:///a.mp4", nil, "all"), ("file:///a", nil, "all"),
        ("http://host/a", "audio/wav; charset=x", "wav"), ("http://host/a.wav", "video/mp4", "all"),
    ])
    func aBackendIsSelectedByTheContainer(url: String, contentType: String?, name: String) throws {
        let registry = BackendRegistry()
        registry.register(descriptor("all", ["file", "http"]))
        registry.register(descriptor("wav", ["file", "http"], ["wav", "audio/wav"]))
        let url = try #require(URL(string: url))
        #expect(registry.descriptor(for: url, contentType: contentType)?.name.rawValue == name)
    }
}
