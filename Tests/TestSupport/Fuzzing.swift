import Foundation

/// How many random inputs a parser gets.
public enum Fuzzing {
    /// Four walks of so many inputs are a million in the long form.
    private static let long = 250_000

    /// - Parameter short: the inputs of a walk, unless `FLOWPLAYER_LONG_TESTS` is set.
    public static func count(short: Int) -> Int {
        ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil ? short : long
    }

    /// Lets other tests run now and then. A walk would keep a thread of the pool, which has one for each core, for seconds.
    public nonisolated(nonsending) static func giveWay(_ number: Int) async {
        if number.isMultiple(of: 16) { await Task.yield() }
    }
}
