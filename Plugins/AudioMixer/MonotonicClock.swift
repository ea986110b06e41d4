import Foundation

/// The system's monotonic clock. libVLC 3 stamps audio by the same one (`libvlc_clock`).
package enum MonotonicClock {
    /// In microseconds, from an unspecified start.
    package static var microseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
}
