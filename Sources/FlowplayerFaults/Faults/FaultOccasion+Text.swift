extension FaultOccasion {
    /// The conditions, each after an `@`. Empty for all responses.
    var text: String {
        var conditions = part.text.map { [$0] } ?? []
        if isRanged { conditions.append("ranged") }
        if requests != 1...Int.max { conditions.append(requestsText) }
        return conditions.map { "@" + $0 }.joined()
    }

    private var requestsText: String {
        if requests.upperBound == Int.max { return "\(requests.lowerBound)-" }
        return requests.count == 1 ? "\(requests.lowerBound)" : "\(requests.lowerBound)-\(requests.upperBound)"
    }

    init(conditions: some Sequence<Substring>) throws(FaultSyntaxError) {
        self.init()
        for condition in conditions {
            if condition == "ranged" {
                isRanged = true
            } else if let part = Part(text: condition) {
                self.part = part
            } else if let requests = Self.requests(condition) {
                self.requests = requests
            } else {
                throw FaultSyntaxError(
                    description:
                        "\"@\(condition)\" is invalid. Write @2, @2-, @1-3, @ranged, @playlists, @segments, @segment3 or @variant2."
                )
            }
        }
    }

    private static func requests(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard let first = FaultForm.positive(ends[0]) else { return nil }
        if ends.count == 1 { return first...first }
        guard ends.count == 2 else { return nil }
        if ends[1].isEmpty { return first...Int.max }
        return FaultForm.positive(ends[1]).flatMap { $0 >= first ? first...$0 : nil }
    }
}

extension FaultOccasion.Part {
    fileprivate var text: String? {
        switch kind {
        case .any: nil
        case .playlists: "playlists"
        case .segments: "segments"
        case .segment(let number): "segment\(number)"
        case .variant(let number): "variant\(number)"
        }
    }

    fileprivate init?(text: Substring) {
        func number(after prefix: String) -> Int? {
            text.hasPrefix(prefix) ? FaultForm.positive(String(text.dropFirst(prefix.count))) : nil
        }
        if text == "playlists" {
            self = .playlists
        } else if text == "segments" {
            self = .segments
        } else if let number = number(after: "segment") {
            self = .segment(number)
        } else if let number = number(after: "variant") {
            self = .variant(number)
        } else {
            return nil
        }
    }
}
