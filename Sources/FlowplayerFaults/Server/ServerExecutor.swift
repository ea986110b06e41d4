import Dispatch
import FlyingSocks

/// The thread of all fault servers. They answer even while the program's own tasks keep all threads for tasks busy.
final class ServerExecutor: TaskExecutor {
    static let shared = ServerExecutor()

    private let queue = DispatchQueue(label: "fault-servers")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// FlyingSocks' own pool waits on the threads for tasks.
extension ServerExecutor: AsyncSocketPool {
    func prepare() {}

    func run() {}

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
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
