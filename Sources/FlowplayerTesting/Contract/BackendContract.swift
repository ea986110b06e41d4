import Playback

/// The rules for every backend, as cases that any test framework can run.
///
/// ```swift
/// let contract = BackendContract(fixtures: fixtures) { MyBackend() }
///
/// @Test(arguments: BackendContract.cases)
/// func keepsTheContract(_ example: BackendContract.Case) async throws { try await contract.run(example) }
/// ```
///
/// The cases send commands and check events. No player is involved. A case that needs an undeclared capability is
/// skipped, with the reason. In real time a case takes some seconds with files of two. Run the cases one after another
/// if the engine needs much CPU time.
public struct BackendContract: Sendable {
    /// The media that the cases play.
    public let fixtures: BackendFixtures
    private let make: @Sendable () throws -> (any PlaybackBackend, any PlaybackClock)

    /// A contract for a backend that plays in real time.
    ///
    /// - Parameters:
    ///   - fixtures: media that the backend can play.
    ///   - makeBackend: makes a backend for one case, which nobody else keeps. Its events are stamped with
    ///     `ContinuousClock().hostTime`.
    public init(fixtures: BackendFixtures, makeBackend: @escaping @Sendable () throws -> any PlaybackBackend) {
        self.fixtures = fixtures
        make = { (try makeBackend(), ContinuousClock()) }
    }

    /// A contract for a backend that plays in virtual time.
    ///
    /// - Parameters:
    ///   - fixtures: media that the backend can play.
    ///   - makeBackend: makes a backend for one case, which nobody else keeps, with the clock that it plays by.
    public init(
        fixtures: BackendFixtures,
        inVirtualTime makeBackend: @escaping @Sendable (ManualClock) throws -> any PlaybackBackend
    ) {
        self.fixtures = fixtures
        make = {
            let clock = ManualClock()
            return (try makeBackend(clock), clock)
        }
    }

    /// The outcome of a case that the backend does not violate.
    public enum Outcome: Hashable, Sendable {
        /// The backend keeps it.
        case passed
        /// It does not apply. The reason is a sentence for people.
        case skipped(reason: String)
    }

    /// Every case, those first on which the others build.
    public static let cases: [Case] =
        openingCases + playingCases + endingCases + seekingCases + settingCases + commandCases + trackCases
        + videoCases + liveCases + preparingCases + interruptionCases + addressCases

    /// Runs one case with its own backend.
    ///
    /// - Returns: `passed`, or the reason why the case does not apply.
    /// - Throws: `BackendViolation` if the backend breaks the rule or a file is missing; any error of `makeBackend`.
    @discardableResult
    public func run(_ example: Case, fileID: StaticString = #fileID, line: Int = #line) async throws -> Outcome {
        try await run(example, at: CallSite(fileID: fileID, line: line))
    }

    @ContractActor
    private func run(_ example: Case, at site: CallSite) async throws -> Outcome {
        let (backend, clock) = try make()
        // Handed over: a case may want to drop the last reference.
        let context = ContractContext(consume backend, clock: clock, fixtures: fixtures, example: example, site: site)
        defer { context.drop() }
        if let problem = fixtures.problem { throw context.violation(problem) }
        for requirement in example.requirements {
            switch requirement.check(context.capabilities, fixtures) {
            case .met: break
            case .absent(let reason): return .skipped(reason: reason)
            case .missing(let problem): throw context.violation(problem)
            }
        }
        try await example.body(context)
        return .passed
    }
}

extension BackendContract {
    /// One thing that a backend has to keep.
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        /// A short name of words joined by hyphens, which stays from version to version.
        public let id: String
        /// The rule, in one sentence.
        public let sentence: String
        let requirements: [Requirement]
        let body: @ContractActor @Sendable (ContractContext) async throws -> Void

        init(
            _ id: String, _ sentence: String, _ requirements: Requirement...,
            body: @escaping @ContractActor @Sendable (ContractContext) async throws -> Void
        ) {
            self.id = id
            self.sentence = sentence
            self.requirements = requirements
            self.body = body
        }

        /// The name.
        public var description: String { id }
    }

    /// A capability or a file that a case needs.
    struct Requirement: Sendable {
        enum Finding {
            case met
            /// The backend need not keep the case.
            case absent(reason: String)
            /// The backend would have to keep the case, and cannot be asked to.
            case missing(problem: String)
        }

        let check: @Sendable (BackendCapabilities, BackendFixtures) -> Finding

        static func feature(_ feature: BackendCapabilities.Feature) -> Requirement {
            Requirement { capabilities, _ in
                capabilities.can(feature) ? .met : .absent(reason: "The backend does not declare \(feature.rawValue).")
            }
        }

        /// Follows the feature for which the file is needed.
        static func medium<Medium>(
            _ path: KeyPath<BackendFixtures, Medium?> & Sendable, _ description: String
        ) -> Requirement {
            Requirement { _, fixtures in
                fixtures[keyPath: path] != nil
                    ? .met : .missing(problem: "The backend says that it can do this: name \(description) for it.")
            }
        }

        static func optionalMedium<Medium>(
            _ path: KeyPath<BackendFixtures, Medium?> & Sendable, _ description: String
        ) -> Requirement {
            Requirement { _, fixtures in
                fixtures[keyPath: path] != nil ? .met : .absent(reason: "No \(description) was named.")
            }
        }

        static let severalRates = Requirement { capabilities, _ in
            let rates = capabilities.rates
            return rates.lowerBound < rates.upperBound ? .met : .absent(reason: "The backend has one rate only.")
        }
    }
}
