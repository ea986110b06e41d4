/// Performs the effects of a machine one after another.
///
/// An effect may lead to another input of the machine. The effects of that one come last: they may need those before them.
@MainActor
final class EffectQueue<Effect> {
    private var waiting: [Effect] = []
    private var isPerforming = false

    /// Performs effects, and all to which they lead.
    ///
    /// - Returns: `false` if a call that has not returned performs them.
    func perform(_ effects: [Effect], by body: (Effect) -> Void) -> Bool {
        waiting += effects
        if isPerforming { return false }
        isPerforming = true
        while !waiting.isEmpty { body(waiting.removeFirst()) }
        isPerforming = false
        return true
    }
}
