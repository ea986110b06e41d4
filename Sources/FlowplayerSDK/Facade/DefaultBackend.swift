import Foundation

extension BackendName {
    /// What a player uses that names none: the backend registered under this name, else libVLC, else the one
    /// registered last.
    public static let `default`: BackendName = "default"
}

extension BackendRegistry {
    /// The shared registry, with the backend that comes with the package.
    static var withBuiltIn: BackendRegistry {
        _ = registerBuiltIn
        return shared
    }

    private static let registerBuiltIn: Void = {
        #if VLC
            if shared.descriptor(named: .vlc) == nil { shared.register(VLCBackend.descriptor()) }
        #endif
    }()
}

extension MediaPlayer {
    /// A player over a backend of the registry, or over one that says why there is none.
    static func make(_ name: BackendName) -> MediaPlayer {
        let registry = BackendRegistry.withBuiltIn
        var descriptor = registry.descriptor(named: name)
        if name == .default {
            descriptor = descriptor ?? registry.descriptor(named: "vlc") ?? registry.descriptors.first
        }
        let missing = name == .default ? "No backend is registered." : "There is no backend \(name.rawValue)."
        return MediaPlayer(backend: descriptor?.make() ?? UnavailableBackend(reason: missing))
    }
}
