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
        // More digits are not a position.
        let form = #/(?i)bytes=([0-9]{0,18})-([0-9]{0,18})/#
        guard let match = header?.wholeMatch(of: form) else { return .whole }
        switch (Int(match.1), Int(match.2)) {
        case (nil, nil): return .whole
        case (nil, let suffix?):
            return suffix > 0 && count > 0 ? .bytes(max(0, count - suffix)..<count) : .unsatisfiable
        case (let first?, let last):
            if let last, last < first { return .whole }
            return first < count ? .bytes(first..<min(last ?? count, count - 1) + 1) : .unsatisfiable
        }
    }
}
