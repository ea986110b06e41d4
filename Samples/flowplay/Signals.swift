import Foundation

/// Handles the signals of a terminal program, except those of job control.
@MainActor
final class Signals {
    enum Signal {
        /// A signal that ends the program, for example from Ctrl-C.
        case end(Int32)
        /// The size of the terminal has changed.
        case resized
    }

    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private let handler: @MainActor (Signal) -> Void
    private var sources: [any DispatchSourceSignal] = []

    init(handler: @escaping @MainActor (Signal) -> Void) {
        self.handler = handler
        signal(SIGPIPE, SIG_IGN)
        for number in Self.ending { watch(number, .end(number)) }
        watch(SIGWINCH, .resized)
    }

    /// Restores the default actions, so that a second Ctrl-C ends the program at once.
    func cancel() {
        for source in sources { source.cancel() }
        for number in Self.ending { signal(number, SIG_DFL) }
    }

    private func watch(_ number: Int32, _ meaning: Signal) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.handler(meaning) }
        }
        source.activate()
        sources.append(source)
    }
}
