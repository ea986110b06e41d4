/// Lets one seek at a time through to the engine, and of those that come meanwhile only the last.
struct SeekCoalescer: Codable, Hashable, Sendable {
    /// The target that the engine is on its way to.
    private(set) var underway: Double?
    /// The target that comes next.
    private(set) var waiting: Double?

    var isIdle: Bool { underway == nil && waiting == nil }

    /// Where the newest seek goes to.
    var target: Double? { waiting ?? underway }

    /// Gives the target to send to the engine now, or `nil` if it has to wait.
    mutating func request(_ target: Double, engineIsReady: Bool) -> Double? {
        guard engineIsReady, underway == nil else {
            waiting = target
            return nil
        }
        underway = target
        return target
    }

    /// The engine is done with the target underway, or ready for the first one. Gives the next one to send.
    mutating func next() -> Double? {
        underway = waiting
        waiting = nil
        return underway
    }

    mutating func reset() { self = SeekCoalescer() }
}
