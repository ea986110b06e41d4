import FlowplayerSDK
import Foundation

/// Gets new addresses of items from a shell command.
struct RenewCommand: MediaURLProvider {
    struct Failure: LocalizedError {
        let errorDescription: String?
    }

    /// The command reads the old address from `FLOWPLAY_URL`, and prints the new one.
    let command: String

    func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["FLOWPLAY_URL": item.url.absoluteString]) { $1 }
        // A command that prints more than a pipe holds would wait for a reader.
        guard let output = tmpfile() else {
            throw Failure(errorDescription: "no temporary file could be created: \(String(cString: strerror(errno))).")
        }
        defer { fclose(output) }
        let file = FileHandle(fileDescriptor: fileno(output))
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, file)
        try await end(of: process)
        guard process.terminationStatus == 0 else {
            throw Failure(errorDescription: "the --renew command exited with \(process.terminationStatus).")
        }
        try file.seek(toOffset: 0)
        let text = String(decoding: try file.read(upToCount: 1 << 16) ?? Data(), as: UTF8.self)
        let line = text.split(whereSeparator: \.isNewline).first.map { $0.trimmingCharacters(in: .whitespaces) }
        guard let line, let url = URL(string: line), url.scheme != nil else {
            throw Failure(errorDescription: "the --renew command did not print an address.")
        }
        return url
    }

    private func end(of process: Process) async throws {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                process.terminationHandler = { _ in continuation.resume() }
                do {
                    try process.run()
                    // A cancellation before the start has found no process to end.
                    if Task.isCancelled { process.terminate() }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            if process.isRunning { process.terminate() }
        }
    }
}
