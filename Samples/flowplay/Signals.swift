import Foundation

/// Answers the signals that a host of a terminal gets.
@MainActor
final class Signals {
    enum Signal {
        /// To end, as by Ctrl-C.
        case end(Int32)
        /// The process is about to be stopped, as by Ctrl-Z.
        case willStop
        /// The process goes on.
        case didContinue
        /// The window has another size.
        case resized
    }

    /// To be left before a stop and entered after it.
    var terminal: Terminal?

    private let handler: @MainActor (Signal) -> Void
    private var sources: [any DispatchSourceSignal] = []

    init(handler: @escaping @MainActor (Signal) -> Void) {
        self.handler = handler
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { watch(number) { $0.handler(.end(number)) } }
        watch(SIGWINCH) { $0.handler(.resized) }
        watch(SIGTSTP) { $0.stop() }
    }

    /// From here on signals do what they do by default: who presses Ctrl-C again does not wait.
    func cancel() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { signal(number, SIG_DFL) }
    }

    private func watch(_ number: Int32, _ action: @escaping @MainActor (Signals) -> Void) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                if let self { action(self) }
            }
        }
        source.activate()
        sources.append(source)
    }

    private func stop() {
        handler(.willStop)
        terminal?.leave()
        // The library that runs the source has a handler of its own, to be put back exactly as it was; and only a
        // signal to this very thread stops the process before the next line.
        var (old, byDefault) = (sigaction(), sigaction())
        byDefault.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGTSTP, &byDefault, &old)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(SIGTSTP)
        sigaction(SIGTSTP, &old, nil)
        terminal?.enter()
        handler(.didContinue)
    }
}
