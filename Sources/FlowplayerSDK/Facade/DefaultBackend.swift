import FlowplayerIsolation
import Foundation
import Playback

#if GStreamer
import GStreamerBackend
#endif

extension BackendName {
    /// The engine that the environment variable `FLOWPLAYER_ENGINE_NAME` names. Without it, the backend that is
    /// registered under this name, else libVLC, else the newest backend that `auto` may use.
    public static let `default`: BackendName = "default"
    /// The first engine that can play the item. If it cannot play the format, the next engine tries once.
    public static let auto: BackendName = "auto"
    /// libVLC in a separate process, whose crash the host survives. It needs the program `flowplayer-engine`.
    public static let isolated: BackendName = "isolated"
    /// GStreamer in a separate process, in builds with the trait `GStreamer`. It needs the program `flowplayer-engine`.
    public static let isolatedGStreamer: BackendName = "isolated:gstreamer"
}

extension BackendRegistry {
    /// The environment variable that names the default engine.
    private static let variable = "FLOWPLAYER_ENGINE_NAME"

    /// The value of the variable.
    package static var namedByUser: String? { ProcessInfo.processInfo.environment[variable] }

    /// The engines of the package. A trait adds each.
    private static let traits = [
        (
            name: "gstreamer", trait: "GStreamer",
            packages: "libgstreamer1.0-dev and libgstreamer-plugins-base1.0-dev"
        ),
        (name: "vlc", trait: "VLC", packages: "libvlc-dev, vlc-plugin-base and libpulse-dev"),
    ]

    /// The shared registry, with the backends that come with the package. Each player adds them too.
    public static var withBuiltIn: BackendRegistry {
        _ = registerBuiltIn
        return shared
    }

    /// A new engine of a name, or one that says why there is none.
    public static func makeBackend(_ name: BackendName = .default) -> any PlaybackBackend {
        withBuiltIn.makeBackend(name, named: namedByUser)
    }

    /// - Parameter named: the name of the default engine, if the user has named one.
    package func makeBackend(_ name: BackendName, named user: String?) -> any PlaybackBackend {
        let chosen = name == .default ? defaultName(named: user) : name
        if chosen == .auto, let first = automaticDescriptors.first {
            return automaticDescriptors.count == 1 ? first.make() : AutomaticBackend(engines: automaticDescriptors)
        }
        if let descriptor = descriptor(named: chosen) { return descriptor.make() }
        return UnavailableBackend(reason: reason(forMissing: chosen, named: name == .default ? user : nil))
    }

    /// The name of the default engine.
    package func defaultName(named user: String? = namedByUser) -> BackendName {
        if let user, !user.isEmpty, user != BackendName.default.rawValue { return BackendName(rawValue: user) }
        let name = [.default, "vlc"].first { descriptor(named: $0) != nil }
        return name ?? descriptors.first(where: \.isAutomatic)?.name ?? "vlc"
    }

    /// The engines that `auto` tries, in this order: the default engine, then the others, the newest first.
    package var automaticDescriptors: [BackendDescriptor] {
        let first = defaultName(named: nil)
        let all = descriptors.filter(\.isAutomatic)
        return all.filter { $0.name == first } + all.filter { $0.name != first }
    }

    /// The names that hosts can use.
    package var names: [BackendName] {
        let automatic: [BackendName] = automaticDescriptors.isEmpty ? [] : [.auto]
        return (automatic + descriptors.map(\.name)).sorted { $0.rawValue < $1.rawValue }
    }

    /// The engines that this build lacks, each with a sentence about the build that has it.
    package var missingEngines: [(name: BackendName, sentence: String)] {
        Self.traits.map { (.named($0.name), "A build with the trait \($0.trait) has it, and needs \($0.packages).") }
            .filter { descriptor(named: $0.0) == nil }
    }

    /// Says that there is no engine of a name, and which there are.
    ///
    /// - Parameter user: the value of the environment variable, if it was used.
    package func reason(forMissing name: BackendName, named user: String?) -> String {
        let names = names.map(\.rawValue).joined(separator: ", ")
        let sentences = [
            name.rawValue == user ? "\(Self.variable) is \(name.rawValue)." : nil,
            "There is no engine \(name.rawValue).",
            missingEngines.first { $0.name == name }?.sentence, names.isEmpty ? nil : "Choose one of: \(names).",
        ]
        return sentences.compactMap(\.self).joined(separator: " ")
    }

    /// A backend for a muted player of frames. libVLC and GStreamer open no audio output.
    package static func makeSilentBackend(_ name: BackendName = .default) -> any PlaybackBackend {
        switch name == .default ? withBuiltIn.defaultName() : name {
        #if VLC
        case .vlc: LibVLCBackend(audioOutput: .none)
        #endif
        #if GStreamer
        case .gstreamer: LibGStreamerBackend(audioOutput: .none)
        #endif
        default: makeBackend(name)
        }
    }

    private static let registerBuiltIn: Void = {
        #if VLC
        let vlc = LibVLCBackend.descriptor()
        shared.registerBuiltIn(vlc)
        shared.registerBuiltIn(IsolatedBackend.descriptor(schemes: vlc.schemes))
        #endif
        #if GStreamer
        let gstreamer = LibGStreamerBackend.descriptor()
        shared.registerBuiltIn(gstreamer)
        shared.registerBuiltIn(
            IsolatedBackend.descriptor(of: gstreamer, capabilities: LibGStreamerBackend.installedCapabilities))
        #endif
    }()
}

extension MediaPlayer {
    /// A player over a backend of `BackendRegistry.shared`.
    ///
    /// - Parameters:
    ///   - items: a queue; its first item is loaded at once.
    ///   - name: the name of the engine. With an unknown one, every load fails with `backendUnavailable`, whose message
    ///     lists the known ones.
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
