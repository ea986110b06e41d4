import Foundation

/// What goes wrong on which occasions.
///
/// In an answer that several steps are for, all of them happen, the first step first. As text, steps are joined by `+`, and each is a fault
/// and its occasion: `status=503@1+drip=20000@2-` is a server that first is unavailable, and then slow.
public struct FaultPlan: Hashable, Sendable {
    /// A fault and its occasion.
    public struct Step: Hashable, Sendable {
        /// What goes wrong.
        public let fault: Fault
        /// In which answers.
        public let occasion: FaultOccasion

        /// A fault in those answers.
        public init(_ fault: Fault, on occasion: FaultOccasion = .always) {
            self.fault = fault
            self.occasion = occasion
        }
    }

    /// What may happen, in the order in which it does.
    public var steps: [Step]

    /// All of these steps; none is a plan by which nothing goes wrong.
    public init(steps: [Step] = []) { self.steps = steps }

    /// One fault.
    public init(_ fault: Fault, on occasion: FaultOccasion = .always) {
        self.init(steps: [Step(fault, on: occasion)])
    }

    /// This, and one fault more.
    public func and(_ fault: Fault, on occasion: FaultOccasion = .always) -> FaultPlan {
        FaultPlan(steps: steps + [Step(fault, on: occasion)])
    }
}

extension FaultPlan: LosslessStringConvertible {
    /// The plan of a text such as `status=503@1+drip=20000@2-`; `nil` if it is none.
    public init?(_ description: String) {
        guard let plan = try? Self.read(description) else { return nil }
        self = plan
    }

    /// The plan of a text such as `status=503@1+drip=20000@2-`.
    ///
    /// - Throws: for a text that is none, with what would be right.
    public init(parsing text: String) throws(FaultSyntaxError) { self = try Self.read(text) }

    private static func read(_ text: String) throws(FaultSyntaxError) -> FaultPlan {
        if text == Fault.none.description { return FaultPlan() }
        var plan = FaultPlan()
        for step in text.split(separator: "+", omittingEmptySubsequences: false) {
            let parts = step.split(separator: "@", omittingEmptySubsequences: false)
            plan.steps.append(
                Step(try Fault.read(String(parts[0])), on: try FaultOccasion(conditions: parts.dropFirst())))
        }
        return plan
    }

    /// The steps, joined by `+`; `none` if there are none.
    public var description: String {
        steps.isEmpty
            ? Fault.none.description
            : steps.map { $0.fault.description + $0.occasion.text }.joined(separator: "+")
    }
}

extension FaultPlan: Codable {
    /// - Throws: `DecodingError` for a text that is no plan.
    public init(from decoder: any Decoder) throws {
        self = try decoder.decodeText(Self.read)
    }

    /// As its `description`.
    public func encode(to encoder: any Encoder) throws { try encoder.encodeText(description) }
}
