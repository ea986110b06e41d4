import Foundation

/// Answers the signals that a host of a terminal gets, but for those that stop it.
@MainActor
final class Signals {
    enum Signal {
        /// To end, as by Ctrl-C.
        case end(Int32)
        /// The window has another size.
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

    /// From here on signals do what they do by default: who presses Ctrl-C again does not wait.
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
