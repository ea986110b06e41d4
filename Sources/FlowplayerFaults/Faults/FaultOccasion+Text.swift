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
            } else if condition == "playlists" {
                part = .playlists
            } else if condition == "segments" {
                part = .segments
            } else if condition.hasPrefix("segment"), let number = positive(condition.dropFirst(7)) {
                part = .segment(number)
            } else if condition.hasPrefix("variant"), let number = positive(condition.dropFirst(7)) {
                part = .variant(number)
            } else if let requests = Self.requests(condition) {
                self.requests = requests
            } else {
                let forms = "@2, @2-, @1-3, @ranged, @playlists, @segments, @segment3 or @variant2"
                throw FaultSyntaxError(description: "\"@\(condition)\" is invalid. Write \(forms).")
            }
        }
    }

    private static func requests(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count <= 2, let first = positive(ends[0]) else { return nil }
        let last = ends.last == "" ? Int.max : positive(ends[ends.count - 1])
        return last.flatMap { $0 >= first ? first...$0 : nil }
    }
}

extension FaultOccasion.Part {
    fileprivate var text: String? {
        switch self {
        case .any: nil
        case .playlists: "playlists"
        case .segments: "segments"
        case .segment(let number): "segment\(number)"
        case .variant(let number): "variant\(number)"
        }
    }
}
