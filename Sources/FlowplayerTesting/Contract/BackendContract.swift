import Foundation
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
    ///   - makeBackend: creates a backend for one case. The contract has its only reference. Its events have the
    ///     time `ContinuousClock().hostTime`.
    public init(fixtures: BackendFixtures, makeBackend: @escaping @Sendable () throws -> any PlaybackBackend) {
        self.fixtures = fixtures
        make = { (try makeBackend(), ContinuousClock()) }
    }

    /// A contract for a backend that plays in virtual time.
    ///
    /// - Parameters:
    ///   - fixtures: media that the backend can play.
    ///   - makeBackend: creates a backend for one case, with its clock. The contract has its only reference.
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
        /// It does not apply. The reason is a sentence for users.
        case skipped(reason: String)
    }

    /// All cases. Basic cases come first.
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
        // The context takes the backend, so that a case can release the last reference.
        let context = ContractContext(consume backend, clock: clock, fixtures: fixtures, example: example, site: site)
        defer { context.drop() }
        if let problem = fixtures.problem { throw context.violation(problem) }
        for requirement in example.requirements {
            guard let obstacle = requirement.obstacle(context.capabilities, fixtures) else { continue }
            if requirement.isMandatory { throw context.violation(obstacle) }
            return .skipped(reason: obstacle)
        }
        try await example.body(context)
        return .passed
    }
}

extension BackendContract {
    /// A rule for backends.
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
        /// The reason why the case cannot run; `nil` if it can.
        let obstacle: @Sendable (BackendCapabilities, BackendFixtures) -> String?
        /// `true` if the backend has to keep the case, so that an obstacle is a failure.
        var isMandatory = false

        static func feature(_ feature: BackendCapabilities.Feature) -> Requirement {
            Requirement { capabilities, _ in
                capabilities.can(feature) ? nil : "The backend does not declare \(feature.rawValue)."
            }
        }

        /// Follows the feature for which the file is needed.
        static func file<Value>(
            _ path: KeyPath<BackendFixtures, Value?> & Sendable, _ description: String
        ) -> Requirement {
            let problem = "The backend says that it can do this: name \(description) for it."
            return Requirement(obstacle: { $1[keyPath: path] == nil ? problem : nil }, isMandatory: true)
        }

        static func optionalFile(
            _ path: KeyPath<BackendFixtures, URL?> & Sendable, _ description: String
        ) -> Requirement {
            Requirement { $1[keyPath: path] == nil ? "No \(description) was named." : nil }
        }
    }
}
