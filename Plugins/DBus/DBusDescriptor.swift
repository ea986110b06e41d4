#if Systemd
import Foundation

/// A file descriptor that came over a bus. Closed with its last owner.
package final class DBusDescriptor: Equatable, Sendable {
    /// Valid while this object lives.
    package let number: Int32

    /// Keeps a copy of a descriptor that stays its owner's; `nil` if this process can have no more of them.
    package init?(copying number: Int32) {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.number = copy
    }

    deinit { close(number) }

    package static func == (one: DBusDescriptor, other: DBusDescriptor) -> Bool { one === other }
}
#endif
