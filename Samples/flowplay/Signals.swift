import Foundation

/// Handles the signals of a terminal program, except those of job control.
@MainActor
final class Signals {
    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private let sources: [any DispatchSourceSignal]

    /// - Parameter handler: receives `SIGWINCH` and the signals that end a program, for example from Ctrl-C.
    init(handler: @escaping @MainActor (Int32) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        sources = (Self.ending + [SIGWINCH]).map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler {
                MainActor.assumeIsolated { handler(number) }
            }
            source.activate()
            return source
        }
    }

    /// Restores the default actions, so that a second Ctrl-C ends the program at once.
    func cancel() {
        for source in sources { source.cancel() }
        for number in Self.ending { signal(number, SIG_DFL) }
    }
}
