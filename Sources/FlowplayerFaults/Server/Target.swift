import Foundation

/// The target of a request: an optional plan, the path of a file, and an optional query.
struct Target {
    /// The plan at the beginning of the path.
    let prefix: (text: String, plan: FaultPlan)?
    /// The path of the file, as received.
    let rawPath: String
    /// The path of the file, without percent-encoding.
    let path: String
    /// The query after the `?`.
    let query: String?

    init(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        query = parts.count == 2 ? parts[1] : nil
        let components = parts[0].split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        // Clients may encode more characters than necessary.
        if components.count == 3, components[0].isEmpty,
            let plan = FaultPlan(components[1]) ?? components[1].removingPercentEncoding.flatMap({ FaultPlan($0) })
        {
            prefix = (components[1], plan)
            rawPath = "/" + components[2]
        } else {
            prefix = nil
            rawPath = parts[0]
        }
        path = rawPath.removingPercentEncoding ?? rawPath
    }

    /// The query with its `?`, or an empty string.
    var suffix: String { query.map { "?" + $0 } ?? "" }

    /// The value of `token` in the query, or an empty string.
    var token: String {
        let items = query?.split(separator: "&") ?? []
        return items.first { $0.hasPrefix("token=") }.map { String($0.dropFirst("token=".count)) } ?? ""
    }
}
