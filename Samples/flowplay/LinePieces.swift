import Foundation

/// A file, piece by piece, each of whole lines: as long as it likes, in little memory.
///
/// Reads on a queue of its own, so that a slow disk or an empty pipe holds nobody.
actor LinePieces {
    /// The file cannot be read; the reason is the system's.
    struct Failure: Error {
        let reason: String

        fileprivate init(errno number: Int32) { reason = String(cString: strerror(number)) }
    }

    private static let size = 1 << 20
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "flowplay.read")
    private var rest = Data()
    private var isAtEnd = false
    /// Whether the pieces ended before a line that is longer than a piece may be.
    private(set) var metEndlessLine = false

    /// - Parameter path: `-` for standard input.
    init(path: String) throws(Failure) {
        descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
    }

    deinit { close(descriptor) }

    /// Whether something follows the last line feed: a line that is still being written.
    var endsWithinLine: Bool { !rest.isEmpty }

    /// The next lines, the last of them with its line feed; `nil` at the end.
    func next() async throws(Failure) -> Data? {
        while !isAtEnd {
            let bytes = try await read()
            isAtEnd = bytes.isEmpty
            if let end = bytes.lastIndex(of: UInt8(ascii: "\n")) {
                defer { rest = bytes[(end + 1)...] }
                return rest + bytes[...end]
            }
            rest += bytes
            metEndlessLine = rest.count > Self.size
            if metEndlessLine { isAtEnd = true }
        }
        return nil
    }

    private func read() async throws(Failure) -> Data {
        let outcome = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Data, Failure>, Never>) in
            queue.async { [descriptor] in continuation.resume(returning: Self.read(descriptor)) }
        }
        return try outcome.get()
    }

    private nonisolated static func read(_ descriptor: Int32) -> Result<Data, Failure> {
        var bytes = Data(count: size)
        while true {
            let count = bytes.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, size) }
            if count >= 0 { return .success(bytes.prefix(count)) }
            guard errno == EINTR else { return .failure(Failure(errno: errno)) }
        }
    }
}
