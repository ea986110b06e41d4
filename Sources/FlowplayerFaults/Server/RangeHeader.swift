import Foundation

/// Reads a header `Range` (RFC 9110, 14.2).
enum RangeHeader {
    /// The requested part of a file.
    enum Part: Equatable {
        case whole
        case bytes(Range<Int>)
        case unsatisfiable
    }

    /// Returns the requested part. Several ranges and units other than bytes are ignored, as the RFC allows.
    static func part(_ header: String?, of count: Int) -> Part {
        guard let header, header.lowercased().hasPrefix("bytes="), !header.contains(",") else { return .whole }
        let ends = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .whole }
        let (first, last) = (natural(ends[0]), natural(ends[1]))
        switch (first, last) {
        case (nil, let suffix?) where ends[0].isEmpty:
            return suffix > 0 && count > 0 ? .bytes(max(0, count - suffix)..<count) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            return first < count ? .bytes(first..<count) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            return first < count ? .bytes(first..<min(last, count - 1) + 1) : .unsatisfiable
        default: return .whole
        }
    }
}
