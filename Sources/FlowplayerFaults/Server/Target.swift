import Foundation

/// The path and the query of an address of the server: perhaps a plan, then a file.
struct Target {
    /// The plan that the path begins with.
    let prefix: (text: String, plan: FaultPlan)?
    /// Of the file, as it was sent and decoded.
    let rawPath: String
    let path: String
    /// What follows the `?`.
    let query: String?

    init(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        query = parts.count == 2 ? parts[1] : nil
        let components = parts[0].split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        // Clients may encode more characters than they have to.
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

    /// The query with its `?`; empty if there is none.
    var suffix: String { query.map { "?" + $0 } ?? "" }

    /// What the query has for `token`; empty if it has none.
    var token: String {
        let items = query?.split(separator: "&") ?? []
        return items.first { $0.hasPrefix("token=") }.map { String($0.dropFirst("token=".count)) } ?? ""
    }
}
