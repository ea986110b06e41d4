import Foundation
import Playback
import Testing

@testable import FlowplayerIsolation

/// The connection between a host and the engine's process.
@Suite struct MessageSocketTests {
    /// Sends bytes with the same descriptor twice, which `MessageSocket` itself cannot do.
    private func send(_ bytes: [UInt8], twice file: Int32, through socket: Int32) {
        // A header of 16 bytes: its length, the level and the type.
        let header: [UInt64] = [24, UInt64(SOL_SOCKET) | UInt64(SCM_RIGHTS) << 32]
        var control = header + [UInt64(file) | UInt64(file) << 32]
        var bytes = bytes
        bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    #expect(sendmsg(socket, &message, 0) == bytes.count)
                }
            }
        }
    }

    @Test func timesMayBeInfinite() throws {
        let (sender, other) = try MessageSocket.pair()
        let receiver = MessageSocket(other)
        var policy = RetryPolicy()
        (policy.giveUpAfter, policy.stallTimeout) = (.infinity, .infinity)
        try #require(sender.send(policy))
        #expect(try receiver.receive(RetryPolicy.self)?.0 == policy)
    }

    /// The write end of a pipe is closed everywhere once the reader sees the end.
    @Test(arguments: [[2, 0, 0, 0, 0x31, 0x32], [2, 0]] as [[UInt8]])
    func descriptorsThatNobodyTakesAreClosed(bytes: [UInt8]) throws {
        let (socket, other) = try MessageSocket.pair()
        var pipe: [Int32] = [0, 0]
        try #require(Glibc.pipe(&pipe) == 0)
        send(bytes, twice: pipe[1], through: other)
        close(pipe[1])
        close(other)
        if let (number, file) = try socket.receive(Int.self) {
            #expect(number == 12 && file >= 0)
            close(file)
        } else {
            #expect(bytes.count < 4)
        }
        var end = pollfd(fd: pipe[0], events: Int16(POLLIN), revents: 0)
        // With an open writer there would be no event. A process that another test starts has a copy for a moment.
        #expect(poll(&end, 1, 60_000) == 1 && end.revents & Int16(POLLHUP) != 0)
        close(pipe[0])
    }
}
