/// Runs deliveries one after another. A delivery that a running one adds follows those that already wait.
@MainActor
package final class DeliveryQueue {
    private var waiting: [@MainActor () -> Void] = []
    private var isRunning = false

    package init() {}

    /// Adds a delivery and runs it now, unless another one is running.
    package func add(_ delivery: @escaping @MainActor () -> Void) {
        append(delivery)
        run()
    }

    /// Adds a delivery without running it.
    func append(_ delivery: @escaping @MainActor () -> Void) { waiting.append(delivery) }

    func run() {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        while !waiting.isEmpty {
            let deliveries = waiting
            // A delivery may keep the owner of the queue, so the queue keeps none that has run.
            waiting = []
            for delivery in deliveries { delivery() }
        }
    }
}
