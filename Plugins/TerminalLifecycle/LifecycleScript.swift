import Foundation
import Playback

/// A timed sequence of background and foreground, for manual tests.
///
/// ```swift
/// let script = try LifecycleScript("2s hidden; 3s foreground; 1s locked")
/// try await script.run(on: .shared)
/// ```
public struct LifecycleScript: Hashable, Sendable {
    /// A delay, and the change after it.
    public struct Step: Hashable, Sendable {
        /// The delay after the previous step or the start.
        public let delay: Duration
        /// The background reason that starts; `nil` if all reasons end.
        public let reason: BackgroundReason?
    }

    /// The error of a script that cannot be parsed.
    public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// A description of the problem and the correct form.
        public let description: String
    }

    /// The steps in order.
    public let steps: [Step]

    private static let reasons: [BackgroundReason] = [.hidden, .locked, .jobStopped, .sleep, .pictureInPicture]
    private static let foreground = "foreground"

    /// Parses steps separated by `;`. Each has a delay (`2s`, `1.5s`, `300ms`) and a reason or `foreground`.
    ///
    /// - Throws: if a step is invalid or there is none.
    public init(_ text: String) throws(ParseError) {
        var steps: [Step] = []
        for part in text.split(separator: ";") {
            let words = part.split(whereSeparator: \.isWhitespace)
            if words.isEmpty { continue }
            steps.append(try Self.step(words, in: part.trimmingCharacters(in: .whitespaces)))
        }
        guard !steps.isEmpty else {
            throw ParseError(description: "A lifecycle script has steps, as in \"2s hidden; 3s foreground\".")
        }
        self.steps = steps
    }

    private static func step(_ words: [Substring], in text: String) throws(ParseError) -> Step {
        guard words.count == 2, let delay = delay(words[0]) else {
            throw ParseError(
                description:
                    "\"\(text)\" is no step: write a delay and a reason, as in \"2s hidden\" or \"300ms foreground\"."
            )
        }
        if words[1] == foreground { return Step(delay: delay, reason: nil) }
        guard let reason = reasons.first(where: { $0.rawValue == words[1] }) else {
            let names = reasons.map(\.rawValue).joined(separator: ", ")
            throw ParseError(description: "There is no reason \(words[1]): choose \(names) or \(foreground).")
        }
        return Step(delay: delay, reason: reason)
    }

    private static func delay(_ text: Substring) -> Duration? {
        let (number, scale) = text.hasSuffix("ms") ? (text.dropLast(2), 0.001) : (text.dropLast(), 1)
        guard text.hasSuffix("s"), let value = Double(number), (0...1e6).contains(value) else { return nil }
        return .seconds(value * scale)
    }

    /// Runs the script. Stops at the current step if the task is cancelled.
    @MainActor
    public func run(
        on lifecycle: ApplicationLifecycle, clock: any PlaybackClock = ContinuousClock()
    ) async throws(CancellationError) {
        for step in steps {
            do { try await clock.sleep(for: step.delay) } catch { throw CancellationError() }
            if let reason = step.reason { lifecycle.enterBackground(reason) } else { lifecycle.leaveBackground() }
        }
    }
}
