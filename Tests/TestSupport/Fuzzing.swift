import Foundation

/// How much chance is given to parsers.
public enum Fuzzing {
    /// Four walks of so many inputs are a million in the long form.
    private static let long = 250_000

    /// - Parameter short: of a walk, unless `FLOWPLAYER_LONG_TESTS` is set.
    public static func count(short: Int) -> Int {
        ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil ? short : long
    }
}
