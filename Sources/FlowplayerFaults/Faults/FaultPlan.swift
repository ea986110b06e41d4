import Foundation

/// A list of faults with their occasions.
///
/// If several steps match a response, all of them apply in order. In the text form, `+` joins the steps. Each step is a fault and
/// its occasion: `status=503@1+drip=20000@2-` is a server that is unavailable first and slow later.
public struct FaultPlan: Hashable, Sendable {
    /// A fault and its occasion.
    public struct Step: Hashable, Sendable {
        /// The fault.
        public let fault: Fault
        /// The responses that have the fault.
        public let occasion: FaultOccasion

        /// Creates a step from a fault and its occasion.
        public init(_ fault: Fault, on occasion: FaultOccasion = .always) {
            self.fault = fault
            self.occasion = occasion
        }
    }

    /// The steps, in the order in which they apply.
    public var steps: [Step]

    /// Creates a plan. Without steps there are no faults.
    public init(steps: [Step] = []) { self.steps = steps }

    /// Creates a plan with one fault.
    public init(_ fault: Fault, on occasion: FaultOccasion = .always) {
        self.init(steps: [Step(fault, on: occasion)])
    }

    /// Returns the plan with another fault added.
    public func and(_ fault: Fault, on occasion: FaultOccasion = .always) -> FaultPlan {
        FaultPlan(steps: steps + [Step(fault, on: occasion)])
    }
}

extension FaultPlan: LosslessStringConvertible {
    /// Parses a plan such as `status=503@1+drip=20000@2-`. Returns `nil` if the text is invalid.
    public init?(_ description: String) { try? self.init(parsing: description) }

    /// Parses a plan such as `status=503@1+drip=20000@2-`.
    ///
    /// - Throws: `FaultSyntaxError` for an invalid text, with an example.
    public init(parsing text: String) throws(FaultSyntaxError) {
        self.init()
        if text == Fault.none.description { return }
        for step in text.split(separator: "+", omittingEmptySubsequences: false) {
            let parts = step.split(separator: "@", omittingEmptySubsequences: false)
            let fault = try Fault(parsing: String(parts[0]))
            steps.append(Step(fault, on: try FaultOccasion(conditions: parts.dropFirst())))
        }
    }

    /// The steps, joined by `+`, or `none`.
    public var description: String {
        steps.isEmpty
            ? Fault.none.description
            : steps.map { $0.fault.description + $0.occasion.text }.joined(separator: "+")
    }
}

extension FaultPlan: Codable {
    /// - Throws: `DecodingError` for an invalid plan.
    public init(from decoder: any Decoder) throws { self = try decoder.parse(Self.init(parsing:)) }

    /// Encodes the plan as its `description`.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
