import Foundation

/// The name under which a backend is registered.
public struct BackendName: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    /// Any name: short, and of letters and digits if people shall type it.
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

/// A backend that can be made, and what it claims to play.
public struct BackendDescriptor: Sendable {
    /// How hosts ask for it.
    public let name: BackendName
    /// One line for people.
    public let summary: String
    /// URL schemes that it plays, in lower case.
    public let schemes: Set<String>
    /// Makes one backend, for one player.
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

/// The backends that players can be made with.
@MainActor
public final class BackendRegistry {
    /// The one that a player uses if it is given no other.
    public static let shared = BackendRegistry()

    private let registrations = Observers<BackendDescriptor>()

    /// An empty registry, for tests.
    public init() {}

    /// The backends in force, the newest first: a name registered again hides the older one.
    public var descriptors: [BackendDescriptor] {
        var seen: Set<BackendName> = []
        return registrations.all.reversed().filter { seen.insert($0.name).inserted }
    }

    /// Adds a backend, before those that are there. It stays until the token is cancelled.
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
