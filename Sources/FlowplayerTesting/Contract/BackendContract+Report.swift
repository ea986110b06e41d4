extension BackendContract {
    /// The outcome of every case.
    public struct Report: Sendable, CustomStringConvertible {
        /// The cases that the backend keeps.
        public let passed: [Case]
        /// The cases that do not apply, each with the reason.
        public let skipped: [(case: Case, reason: String)]
        /// The cases that the backend violates, each with the thrown error.
        public let violated: [(case: Case, error: any Error)]

        /// `true` if no case is violated.
        public var isKept: Bool { violated.isEmpty }

        /// The number of passed cases, and each skipped or violated case.
        public var description: String {
            var lines = ["\(passed.count) passed, \(skipped.count) skipped, \(violated.count) violated"]
            lines += skipped.map { "skipped \($0.case.id): \($0.reason)" }
            lines += violated.map { "violated \($0.case.id): \($0.error)" }
            return lines.joined(separator: "\n")
        }
    }

    /// Runs every case, one after another, for test frameworks without arguments and for programs.
    public func runAll(fileID: StaticString = #fileID, line: Int = #line) async -> Report {
        var passed: [Case] = []
        var skipped: [(Case, String)] = []
        var violated: [(Case, any Error)] = []
        for example in Self.cases {
            do {
                switch try await run(example, fileID: fileID, line: line) {
                case .passed: passed.append(example)
                case .skipped(let reason): skipped.append((example, reason))
                }
            } catch {
                violated.append((example, error))
            }
        }
        return Report(passed: passed, skipped: skipped, violated: violated)
    }
}
