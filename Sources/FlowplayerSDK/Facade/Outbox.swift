/// Tells one thing after another: what is caused by telling comes after it.
@MainActor
final class Outbox {
    private var waiting: ArraySlice<@MainActor () -> Void> = []
    private var isTelling = false

    func add(_ tell: @escaping @MainActor () -> Void) {
        waiting.append(tell)
        guard !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        while let next = waiting.popFirst() { next() }
    }
}
