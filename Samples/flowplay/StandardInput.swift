import Foundation

/// The item that other programs write to standard input.
///
/// Engines seek in files, also to read an index at the end. So standard input is copied to a file before playback starts.
enum StandardInput {
    /// The size limit, in bytes.
    static let limit = 4 << 30
    private static let pieceSize = 1 << 20

    /// The copy failed.
    struct Failure: Error {
        let message: String
    }

    /// `true` if there is nothing to copy.
    static var isFile: Bool {
        var status = stat()
        return fstat(0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Reads standard input to its end.
    ///
    /// - Returns: a file that exists as long as this process.
    static func file() async throws(Failure) -> URL {
        if isFile { return url(0) }
        let result: Result<Int32, Failure> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(Failure) in try copy(from: 0, upTo: limit) })
            }
        }
        return url(try result.get())
    }

    /// Copies everything to a file without a name, which the system removes when the process ends.
    ///
    /// - Returns: the descriptor of the file.
    static func copy(from source: Int32, upTo limit: Int) throws(Failure) -> Int32 {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        var name = Array("\(folder)/flowplay-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        guard file >= 0 else { throw storeFailure(folder) }
        unlink(name)
        var bytes = [UInt8](repeating: 0, count: pieceSize)
        var size = 0
        while true {
            let count = read(source, &bytes, pieceSize)
            if count == 0 { return file }
            guard count > 0 else { throw Failure(message: "Standard input cannot be read: \(systemMessage).") }
            size += count
            guard size <= limit else {
                close(file)
                throw Failure(
                    message: "Standard input has more than \(limit >> 30) GB. Write it to a file, and play the file.")
            }
            do { try FileHandle(fileDescriptor: file).write(contentsOf: bytes.prefix(count)) } catch {
                close(file)
                throw storeFailure(folder)
            }
        }
    }

    private static func storeFailure(_ folder: String) -> Failure {
        Failure(
            message: "Standard input cannot be stored in \(folder): \(systemMessage). "
                + "Set TMPDIR to a folder with more space.")
    }

    private static var systemMessage: String { String(cString: strerror(errno)) }

    /// The address of a descriptor of this process, also for a process of the engine.
    private static func url(_ descriptor: Int32) -> URL { URL(filePath: "/proc/\(getpid())/fd/\(descriptor)") }
}
