/// The values that something had, the newest first.
struct StateHistory<State> {
    private static var limit: Int { 100 }
    private(set) var newestFirst: [State]

    init(_ initial: State) { newestFirst = [initial] }

    mutating func add(_ state: State) {
        newestFirst = [state] + newestFirst.prefix(Self.limit - 1)
    }
}
