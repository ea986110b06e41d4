import FlowplayerIsolation
import Foundation
import Playback

extension BackendName {
    /// The default backend: the one that is registered under this name, else libVLC, else the one that was registered
    /// last.
    public static let `default`: BackendName = "default"
    /// libVLC in a separate process, whose crash the host survives. It needs the program `flowplayer-engine`.
    public static let isolated: BackendName = "isolated"
}

extension BackendRegistry {
    /// The shared registry, with the backend that comes with the package.
    static var withBuiltIn: BackendRegistry {
        _ = registerBuiltIn
        return shared
    }

    /// The backend of a name, or one that says why there is none.
    static func makeBackend(_ name: BackendName = .default) -> any PlaybackBackend {
        let registry = withBuiltIn
        var descriptor = registry.descriptor(named: name)
        if name == .default {
            descriptor = descriptor ?? registry.descriptor(named: "vlc") ?? registry.descriptors.first
        }
        let missing = name == .default ? "No backend is registered." : "There is no backend \(name.rawValue)."
        return descriptor?.make() ?? UnavailableBackend(reason: missing)
    }

    /// A backend for a muted player of frames. If the default is libVLC, it opens no audio output.
    package static func makeSilentBackend() -> any PlaybackBackend {
        #if VLC
        if withBuiltIn.descriptor(named: .default) == nil { return LibVLCBackend(audioOutput: .none) }
        #endif
        return makeBackend()
    }

    private static let registerBuiltIn: Void = {
        #if VLC
        if shared.descriptor(named: .isolated) == nil { shared.register(IsolatedBackend.descriptor()) }
        if shared.descriptor(named: .vlc) == nil { shared.register(LibVLCBackend.descriptor()) }
        #endif
    }()
}

extension MediaPlayer {
    /// A player over a backend of `BackendRegistry.shared`.
    ///
    /// - Parameters:
    ///   - items: a queue; its first item is loaded at once.
    ///   - name: the name of the engine. With an unknown one, every load fails with `backendUnavailable`.
    public convenience init(items: [PlayerItem] = [], backend name: BackendName = .default) {
        self.init(items: items, backend: BackendRegistry.makeBackend(name))
    }

    /// A player that has loaded an item and waits for `play`.
    public convenience init(playerItem item: PlayerItem?) {
        self.init()
        replaceCurrentItem(with: item)
    }

    /// A player that has loaded the item at an address and waits for `play`.
    public convenience init(url: URL) { self.init(playerItem: PlayerItem(url: url)) }
}
