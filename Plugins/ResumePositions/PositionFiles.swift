import Foundation
import Synchronization

/// Reads and writes the files of a store on its own queue.
///
/// Each item has its own file. A file is written under a temporary name and renamed, so that a reader sees the file before or
/// after the change. Processes that share the folder need no lock: the last write of an item counts.
final class PositionFiles: Sendable {
    private struct State {
        var report: @Sendable (ResumeStoreError) -> Void = { _ in }
        var lastError: ResumeStoreError?
    }

    private let folder: URL
    private let queue = DispatchQueue(label: "swift-flowplayer.positions", qos: .utility)
    /// Both threads use it: the main actor sets the handler, and the queue calls it.
    private let state = Mutex(State())

    init(folder: URL) { self.folder = folder }

    /// Called on the queue with each error.
    var report: @Sendable (ResumeStoreError) -> Void {
        get { state.withLock { $0.report } }
        set { state.withLock { $0.report = newValue } }
    }

    /// Creates the folder, and removes the files that are older than the age limit.
    func open(ageLimit: Duration) {
        queue.async { [self] in
            let oldest = Date(timeIntervalSinceNow: -(ageLimit / .seconds(1)))
            do {
                try createFolder()
                // An existing folder may be read-only.
                if access(path, W_OK) != 0 { throw systemError() }
            } catch {
                return fail(.cannotWrite(folder: path, reason: reason(error)))
            }
            for file in files {
                let date = try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
                if let date, date < oldest { unlink(file) }
            }
        }
    }

    func position(of url: URL) async -> Double? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: read(url)) }
        }
    }

    func write(_ position: StoredPosition) {
        queue.async { [self] in
            do {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                try createFolder()
                try replace(position.address.positionFileName, with: try encoder.encode(position))
                state.withLock { $0.lastError = nil }
            } catch {
                fail(.cannotWrite(folder: path, reason: reason(error)))
            }
        }
    }

    func forget(_ address: String) {
        queue.async { [self] in unlink(path + address.positionFileName) }
    }

    func forgetAll() {
        queue.async { [self] in
            for file in files { unlink(file) }
        }
    }

    /// - Returns: `false` if the time expired first.
    func flush(within bound: Duration) -> Bool {
        let group = DispatchGroup()
        queue.async(group: group) {}
        return group.wait(timeout: .now() + bound / .seconds(1)) == .success
    }

    // MARK: On the queue

    private var path: String { folder.path(percentEncoded: false).appending(folder.hasDirectoryPath ? "" : "/") }

    /// The files of all stores in the folder, also temporary and damaged ones.
    private var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.prefixMatch(of: /[0-9a-f]{16}\.json/) != nil }.map { path + $0 }
    }

    /// Other users need not know what this one plays.
    private func createFolder() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func read(_ url: URL) -> Double? {
        let file = path + url.positionFileName
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: file))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            fail(.cannotRead(file: file, reason: reason(error)))
            return nil
        }
        guard let stored = try? JSONDecoder().decode(StoredPosition.self, from: data), stored.position.isFinite,
            stored.position >= 0
        else {
            rename(file, file + ".corrupt")
            fail(.damaged(file: file))
            return nil
        }
        // Another address may have the same hash.
        return stored.address == url.positionAddress ? stored.position : nil
    }

    private func replace(_ name: String, with data: Data) throws {
        let file = path + name
        let temporary = "\(file).\(UUID().uuidString)"
        let descriptor = Foundation.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw systemError() }
        do {
            defer { close(descriptor) }
            let count = data.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            // A disk that is nearly full takes a part.
            if count != data.count { throw count < 0 ? systemError() : POSIXError(.ENOSPC) }
            if rename(temporary, file) != 0 { throw systemError() }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Reports an error, unless it is the same as the one before.
    private func fail(_ error: ResumeStoreError) {
        let report = state.withLock { state in
            defer { state.lastError = error }
            return state.lastError == error ? nil : state.report
        }
        report?(error)
    }

    private func systemError() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// The system's message.
    private func reason(_ error: any Error) -> String {
        let cause = (error as? CocoaError)?.underlying ?? error
        guard let code = (cause as? POSIXError)?.code else { return error.localizedDescription }
        return String(cString: strerror(code.rawValue))
    }
}
