import Foundation

/// The name under which a backend is registered.
public struct BackendName: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    /// Any name. Use letters and digits if users type it.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The backend of a name, which may come from a user or a settings file.
    public static func named(_ name: String) -> BackendName { BackendName(rawValue: name) }
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

/// A registered backend, and what it plays.
public struct BackendDescriptor: Sendable {
    /// The name by which hosts request it.
    public let name: BackendName
    /// A line that describes the backend to users.
    public let summary: String
    /// The URL schemes that it plays, in lower case.
    public let schemes: Set<String>
    /// The containers that it plays, as file name extensions and content types in lower case, such as `wav` and
    /// `audio/wav`. `nil` for an engine that plays nearly all of them.
    public let containers: Set<String>?
    /// `true` if the backend `auto` may use it.
    public let isAutomatic: Bool
    /// Creates a backend for one player.
    public let make: @Sendable () -> any PlaybackBackend
    private let inspect: @Sendable () -> BackendInstallation

    /// A backend for `BackendRegistry.register`.
    ///
    /// - Parameters:
    ///   - name: the name by which hosts request it.
    ///   - summary: a line for users.
    ///   - schemes: the URL schemes that it plays, in lower case.
    ///   - containers: the containers that it plays; `nil`, the default, for nearly all of them.
    ///   - isAutomatic: `false` for a backend that is used only by its name.
    ///   - installation: the engine on this machine. Called when it is needed, because it may load the engine.
    ///   - make: creates a backend for one player.
    public init(
        name: BackendName, summary: String, schemes: Set<String>, containers: Set<String>? = nil,
        isAutomatic: Bool = true,
        installation: @escaping @Sendable () -> BackendInstallation = { BackendInstallation() },
        make: @escaping @Sendable () -> any PlaybackBackend
    ) {
        self.name = name
        self.summary = summary
        self.schemes = schemes
        self.containers = containers
        self.isAutomatic = isAutomatic
        inspect = installation
        self.make = make
    }

    /// The engine on this machine. May load the engine.
    public var installation: BackendInstallation { inspect() }

    /// `true` if the backend plays the scheme of an address, and its container.
    ///
    /// The container is that of the content type, and without one that of the file name extension. A backend that names
    /// its containers does not claim an address of an unknown container.
    ///
    /// - Parameter contentType: the content type that a server reports, such as `audio/wav`.
    public func claims(_ url: URL, contentType: String? = nil) -> Bool {
        guard schemes.contains(url.scheme?.lowercased() ?? "file") else { return false }
        guard let containers else { return true }
        let type = contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return containers.contains(type ?? url.pathExtension.lowercased())
    }
}

/// An engine on this machine.
public struct BackendInstallation: Hashable, Sendable {
    /// The version of the engine; `nil` if it has none.
    public let version: String?
    /// Sentences that name a missing part on this machine, and the package that adds it.
    public let missing: [String]

    /// An engine as a backend finds it.
    public init(version: String? = nil, missing: [String] = []) {
        self.version = version
        self.missing = missing
    }
}

/// The backends that players can use.
@MainActor
public final class BackendRegistry {
    /// The registry of the process, which players use by default.
    public static let shared = BackendRegistry()

    private let registrations = Observers<BackendDescriptor>()
    private var builtIn: [BackendDescriptor] = []

    /// An empty registry, for tests.
    public init() {}

    /// The registered backends, the newest first, and then those of the package. A name that is registered again hides
    /// the older backend.
    public var descriptors: [BackendDescriptor] {
        var seen: Set<BackendName> = []
        return (registrations.all.reversed() + builtIn).filter { seen.insert($0.name).inserted }
    }

    /// Adds a backend in front of the others. It stays until the token is cancelled.
    @discardableResult
    public func register(_ descriptor: BackendDescriptor) -> ObservationToken {
        registrations.addPermanently(descriptor)
    }

    /// Adds a backend of the package behind the others.
    package func registerBuiltIn(_ descriptor: BackendDescriptor) { builtIn.append(descriptor) }

    /// The backend of that name, or `nil` if there is none.
    public func descriptor(named name: BackendName) -> BackendDescriptor? {
        descriptors.first { $0.name == name }
    }

    /// The newest backend that claims an address, or `nil` if none does. See ``BackendDescriptor/claims(_:contentType:)``.
    public func descriptor(for url: URL, contentType: String? = nil) -> BackendDescriptor? {
        descriptors.first { $0.claims(url, contentType: contentType) }
    }
}
