import Foundation

/// Reads a file of any size in pieces of whole lines.
///
/// It reads on its own queue, so that a slow disk or an empty pipe blocks no thread of the main program.
actor LinePieces {
    /// The file cannot be read. The reason is the system's error message.
    struct Failure: Error {
        let reason: String

        fileprivate init(errno number: Int32) { reason = String(cString: strerror(number)) }
    }

    private static let size = 1 << 20
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "flowplay.read")
    private var rest = Data()
    private var isAtEnd = false
    /// `true` if a line is longer than the maximum piece. The pieces end before it.
    private(set) var foundEndlessLine = false

    /// - Parameter path: `-` for standard input.
    init(path: String) throws(Failure) {
        descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
    }

    deinit { close(descriptor) }

    /// `true` if bytes follow the last line feed, because the line is still being written.
    var endsInsideLine: Bool { !rest.isEmpty }

    /// Returns the next whole lines, or `nil` at the end.
    func next() async throws(Failure) -> Data? {
        while !isAtEnd {
            let bytes = try await read()
            isAtEnd = bytes.isEmpty
            if let end = bytes.lastIndex(of: UInt8(ascii: "\n")) {
                defer { rest = bytes[(end + 1)...] }
                return rest + bytes[...end]
            }
            rest += bytes
            foundEndlessLine = rest.count > Self.size
            if foundEndlessLine { isAtEnd = true }
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
