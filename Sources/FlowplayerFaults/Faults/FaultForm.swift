import Foundation

/// The text form of a kind of fault: a name, and the values after its `=`.
struct FaultForm: Sendable {
    let name: String
    /// Creates the fault from its values. Returns `nil` if their number or type is wrong.
    let make: @Sendable ([String]) -> Fault?

    static let all: [FaultForm] =
        plain + numbers + points + [
            FaultForm(name: "status") { values in
                guard (1...2).contains(values.count), let code = Int(values[0]), (200...599).contains(code) else {
                    return nil
                }
                guard values.count == 2 else { return .status(code) }
                return natural(values[1]).map { .status(code, retryAfter: $0) }
            },
            FaultForm(name: "late") { only($0).flatMap(seconds).map { .late($0) } },
            FaultForm(name: "outage") { values in
                guard (1...2).contains(values.count), let time = seconds(values[0]) else { return nil }
                guard values.count == 2 else { return .outage(for: time) }
                return natural(values[1]).map { .outage(after: $0, for: time) }
            },
            FaultForm(name: "redirect-to") { only($0).flatMap(\.removingPercentEncoding).map { .redirect(to: $0) } },
            FaultForm(name: "type") { only($0).flatMap(\.removingPercentEncoding).map(Fault.contentType) },
            FaultForm(name: "live-stalls") { values in
                guard values.count == 2, let window = positive(values[0]), let time = seconds(values[1]) else {
                    return nil
                }
                return .stallingLive(window: window, after: time)
            },
        ]

    private static let plain: [FaultForm] = [
        ("none", .none), ("refused", .refused), ("chunked", .chunked), ("unframed", .unframed),
        ("no-ranges", .noRanges), ("redirect", .redirect), ("redirect-loop", .redirectLoop),
        ("redirect-to-file", .redirectToFile), ("garbage", .garbage), ("empty", .empty),
        ("tls", .tls(.trusted)), ("tls-self-signed", .tls(.selfSigned)), ("tls-expired", .tls(.expired)),
        ("tls-other-host", .tls(.otherHost)), ("playlist-to-file", .playlistToFile),
    ].map { (name: String, fault: Fault) in FaultForm(name: name) { $0.isEmpty ? fault : nil } }

    private static let numbers: [FaultForm] = [
        number("drip", positive, Fault.drip), number("length-too-long", positive, Fault.lengthTooLong),
        number("length-too-short", positive, Fault.lengthTooShort), number("wrong-range", positive, Fault.wrongRange),
        number("expires-requests", natural, Fault.expires(afterRequests:)),
        number("expires-bytes", natural, Fault.expires(afterBytes:)), number("live", positive, Fault.live),
        number("live-endless", positive, Fault.endlessLive),
        number("duplicate-segment", positive, Fault.duplicateSegment),
    ]

    private static let points: [FaultForm] = Fault.Cut.allCases.flatMap { cut in
        [
            FaultForm(name: "\(cut.rawValue)-before-headers") { $0.isEmpty ? Fault(.cut(cut, .beforeHeaders)) : nil },
            FaultForm(name: "\(cut.rawValue)-after-headers") { $0.isEmpty ? Fault(.cut(cut, .afterHeaders)) : nil },
            FaultForm(name: "\(cut.rawValue)-mid-body") { values in
                if values.isEmpty { return Fault(.cut(cut, .midBody)) }
                return only(values).flatMap(natural).map { Fault(.cut(cut, .midBody(after: $0))) }
            },
        ]
    }

    private static func number(
        _ name: String, _ read: @escaping @Sendable (String) -> Int?, _ fault: @escaping @Sendable (Int) -> Fault
    ) -> FaultForm {
        FaultForm(name: name) { only($0).flatMap(read).map(fault) }
    }

    private static func only(_ values: [String]) -> String? { values.count == 1 ? values[0] : nil }

    static func natural(_ text: String) -> Int? { Int(text).flatMap { $0 >= 0 ? $0 : nil } }
    static func positive(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

    /// Returns the duration in whole microseconds, so that its text form is exact.
    private static func seconds(_ text: String) -> Duration? {
        Double(text).flatMap { (0...1e6).contains($0) ? .microseconds(Int(($0 * 1e6).rounded())) : nil }
    }
}
