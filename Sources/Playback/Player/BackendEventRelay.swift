import Dispatch
import Foundation
import Synchronization

/// Brings the events of a backend to the main actor, in order.
///
/// An event that arrives on the main queue is handled before `receive` returns. Events from other threads are handled by
/// an operation of the main queue: within it, Foundation calls observers with `queue: .main` at once, and does not wait
/// for them. All events pass through one queue, so an event never overtakes an earlier one.
final class BackendEventRelay: Sendable {
    private let pending = Mutex<ArraySlice<BackendEvent>>([])
    private let handler: @MainActor @Sendable (BackendEvent) -> Void

    init(_ handler: @escaping @MainActor @Sendable (BackendEvent) -> Void) { self.handler = handler }

    func receive(_ event: BackendEvent) {
        let isFirst = pending.withLock { pending in
            pending.append(event)
            return pending.count == 1
        }
        if DispatchQueue.isMain {
            MainActor.assumeIsolated { handlePending() }
        } else if isFirst {
            OperationQueue.main.addOperation { MainActor.assumeIsolated { self.handlePending() } }
        }
    }

    @MainActor
    private func handlePending() {
        while let event = pending.withLock({ $0.popFirst() }) { handler(event) }
    }
}

extension DispatchQueue {
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        main.setSpecific(key: key, value: true)
        return key
    }()

    /// `true` if the caller runs on the main queue, which executes the main actor.
    fileprivate static var isMain: Bool { getSpecific(key: mainKey) ?? false }
}
