import Dispatch
import FlyingSocks

/// Runs tasks on its own thread, and waits for their sockets there. They run even while other tasks keep Swift's thread pool busy.
package final class NetworkThread: TaskExecutor {
    private let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// FlyingSocks' own pool of sockets runs on Swift's thread pool.
extension NetworkThread: AsyncSocketPool {
    package func prepare() {}

    package func run() {}

    package func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        let descriptor = socket.file.rawValue
        // Dispatch's objects are thread-safe.
        nonisolated(unsafe) let source: any DispatchSourceProtocol =
            events.contains(.write)
            ? DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            : DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { source.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The caller may close the socket only after the source has let go of it.
                source.setCancelHandler { continuation.resume() }
                source.activate()
            }
        } onCancel: {
            source.cancel()
        }
        try Task.checkCancellation()
    }
}
