import Foundation
import MediaTransport
import Synchronization

/// Asks the host for files and connections. Used in the engine's process.
final class HostConnection: HostAccess {
    /// A descriptor. For a file, it may be the negative number of an error.
    private typealias Reply = Result<Int32, ConnectionFailure>

    private struct State {
        var lastRequest = 0
        /// The receivers of the replies, by the numbers of their requests.
        var waiting: [Int: @Sendable (Reply) -> Void] = [:]
        /// The files that the host has opened ahead, the oldest first.
        var files: [(path: String, descriptor: Int32)] = []
    }

    /// Those of an item and of the prepared one.
    private static let fileLimit = 2 * HostResources.descriptorsPerItem

    private let socket: MessageSocket
    private let state = Mutex(State())

    init(_ socket: MessageSocket) { self.socket = socket }

    func open(_ file: URL) -> Int32 {
        let path = file.path(percentEncoded: false)
        let descriptor = state.withLock { state in
            state.files.lastIndex { $0.path == path }.map { state.files.remove(at: $0).descriptor }
        }
        return descriptor ?? request(path)
    }

    /// Keeps a file for `open`.
    func keep(_ path: String, _ descriptor: Int32) {
        guard descriptor >= 0 else { return }
        let old = state.withLock { state in
            state.files.append((path, descriptor))
            return state.files.count > Self.fileLimit ? state.files.removeFirst().descriptor : nil
        }
        if let old { close(old) }
    }

    private func request(_ path: String) -> Int32 {
        let semaphore = DispatchSemaphore(value: 0)
        let result = Mutex(-EIO)
        let number = request { reply in
            if case .success(let file) = reply { result.withLock { $0 = file } }
            semaphore.signal()
        }
        socket.send(EngineMessage.openFile(request: number, path: path))
        semaphore.wait()
        return result.withLock(\.self)
    }

    func connect(to server: Server, within seconds: Double) async throws(ConnectionFailure) -> Int32 {
        let result: Reply = await withCheckedContinuation { continuation in
            let number = request { continuation.resume(returning: $0) }
            socket.send(EngineMessage.connect(request: number, server, seconds: seconds))
        }
        return try result.get()
    }

    private func request(_ receiver: @escaping @Sendable (Reply) -> Void) -> Int {
        state.withLock { state in
            state.lastRequest += 1
            state.waiting[state.lastRequest] = receiver
            return state.lastRequest
        }
    }

    /// The host has opened a file, or has failed to.
    func opened(_ request: Int, _ error: Int32, _ descriptor: Int32) {
        finish(request, .success(error == 0 ? descriptor : -error))
    }

    /// The host has connected to a server, or has failed to.
    func connected(_ request: Int, _ failure: ConnectionFailure?, _ descriptor: Int32) {
        finish(request, failure.map { .failure($0) } ?? .success(descriptor))
    }

    private func finish(_ request: Int, _ reply: Reply) {
        state.withLock { $0.waiting.removeValue(forKey: request) }?(reply)
    }
}
