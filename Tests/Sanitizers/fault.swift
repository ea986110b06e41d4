// A defect that a sanitizer has to find: a race with `race`, a use after free with `use`. Scripts/sanitize builds and runs it.
import Foundation

final class Count: @unchecked Sendable {
    var value = 0
}

if CommandLine.arguments.last == "race" {
    let count = Count()
    let group = DispatchGroup()
    for _ in 1...4 {
        group.enter()
        Thread.detachNewThread {
            for _ in 0..<100_000 { count.value += 1 }
            group.leave()
        }
    }
    group.wait()
    print(count.value)
} else {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    bytes.initialize(to: 1)
    bytes.deallocate()
    print(bytes.pointee)
}
