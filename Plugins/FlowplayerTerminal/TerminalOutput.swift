import Foundation

/// Writes to a terminal without waiting for it.
///
/// It keeps the rest of one write at most. The owner writes again once that is out.
struct TerminalOutput: ~Copyable {
    let descriptor: Int32
    private let isOwned: Bool
    private var rest: ArraySlice<UInt8> = []
    /// `true` if the terminal is gone.
    private var isBroken = false

    /// Opens the terminal again, because programs that share a descriptor share its flags too. Anything that cannot be
    /// opened again, such as a pipe, is made non-blocking itself.
    init(_ output: Int32) {
        var name = [CChar](repeating: 0, count: 256)
        let flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        let own = ttyname_r(output, &name, name.count) == 0 ? open(name, flags) : -1
        isOwned = own >= 0
        descriptor = isOwned ? own : output
        if !isOwned { _ = fcntl(output, F_SETFL, fcntl(output, F_GETFL) | O_NONBLOCK) }
    }

    deinit { if isOwned { close(descriptor) } }

    /// `true` if everything is out.
    var isEmpty: Bool { rest.isEmpty }

    /// The number of bytes that wait for the terminal.
    var pendingBytes: Int { rest.count }

    /// Writes as much as the terminal takes, and keeps the rest.
    mutating func write(_ bytes: [UInt8]) {
        rest = bytes[...]
        flush()
    }

    /// Writes as much of the rest as the terminal takes.
    mutating func flush() {
        while !rest.isEmpty, !isBroken {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                isBroken = true
            }
        }
        rest = []
    }

    /// Replaces the rest by the last bytes, and waits up to 2 s for the terminal to take them.
    ///
    /// If the terminal takes nothing, for example after Ctrl-S, what it has not read yet is discarded. So there is room for
    /// the last bytes, and the terminal reads them when it continues.
    mutating func finish(_ bytes: [UInt8]) {
        write(bytes)
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while !isEmpty, poll(&state, 1, 2000) > 0 { flush() }
        if !isEmpty {
            tcflow(descriptor, TCOON)
            tcflush(descriptor, TCOFLUSH)
            flush()
        }
        rest = []
    }
}
