import Foundation

/// The name under which a backend is registered.
public struct BackendName: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    /// Any name. Use letters and digits if users type it.
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

/// A registered backend, and the schemes that it plays.
public struct BackendDescriptor: Sendable {
    /// The name by which hosts request it.
    public let name: BackendName
    /// A line that describes the backend to users.
    public let summary: String
    /// The URL schemes that it plays, in lower case.
    public let schemes: Set<String>
    /// Creates a backend for one player.
    public let make: @Sendable () -> any PlaybackBackend

    /// A backend for `BackendRegistry.register`.
    public init(
        name: BackendName, summary: String, schemes: Set<String>, make: @escaping @Sendable () -> any PlaybackBackend
    ) {
        self.name = name
        self.summary = summary
        self.schemes = schemes
        self.make = make
    }
}

/// The backends that players can use.
@MainActor
public final class BackendRegistry {
    /// The registry of the process, which players use by default.
    public static let shared = BackendRegistry()

    private let registrations = Observers<BackendDescriptor>()

    /// An empty registry, for tests.
    public init() {}

    /// The registered backends, the newest first. A name that is registered again hides the older backend.
    public var descriptors: [BackendDescriptor] {
        var seen: Set<BackendName> = []
        return registrations.all.reversed().filter { seen.insert($0.name).inserted }
    }

    /// Adds a backend in front of the others. It stays until the token is cancelled.
    @discardableResult
    public func register(_ descriptor: BackendDescriptor) -> ObservationToken {
        registrations.addPermanently(descriptor)
    }

    /// The backend of that name, or `nil` if there is none.
    public func descriptor(named name: BackendName) -> BackendDescriptor? {
        descriptors.first { $0.name == name }
    }

    /// The newest backend that claims the scheme of the URL, or `nil` if none does.
    public func descriptor(for url: URL) -> BackendDescriptor? {
        let scheme = url.scheme?.lowercased() ?? "file"
        return descriptors.first { $0.schemes.contains(scheme) }
    }
}
