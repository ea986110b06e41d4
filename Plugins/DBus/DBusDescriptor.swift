#if Systemd
import Foundation

/// A file descriptor, closed with its last reference.
package final class DBusDescriptor: Equatable, Sendable {
    /// Valid while this object lives.
    package let number: Int32

    /// Duplicates a descriptor. The original stays open. `nil` if this process can open no more files.
    package init?(copying number: Int32) {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.number = copy
    }

    deinit { close(number) }

    package static func == (one: DBusDescriptor, other: DBusDescriptor) -> Bool { one === other }
}
#endif
