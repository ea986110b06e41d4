import Foundation
import Playback

/// Makes a host of a terminal leave the foreground by Ctrl-Z, and come back by `fg`.
///
/// ```swift
/// let job = TerminalLifecycle(
///     leaveScreen: { terminal.leave() }, enterScreen: { terminal.enter() },
///     goesOn: { view.avPlayer?.snapshot.shouldPlay == true })
/// ```
///
/// The reason that it gives is `jobStopped`. On Ctrl-Z the process stops, so that the shell gives its prompt. If nothing
/// plays on, it stays stopped until `bg` or `fg`. If something does, it goes on by itself as soon as the shell has seen
/// it stop, some hundredths of a second later: sound that is buffered in the meantime has no gap. A process that is started
/// behind the shell is in the background from the beginning; one without a controlling terminal never is.
///
/// Whether a host is in front says the terminal, not the signal: a process that goes on because of `bg`, or of another's
/// `kill -CONT`, stays in the background. A shell that thinks that its job runs already tells nobody of `fg`, so
/// while the process runs behind the shell, and only then, it looks twice a second.
///
/// Use one for a process. SIGTSTP and SIGCONT are its own until it is cancelled; SIGTTIN and SIGTTOU are ignored from its
/// beginning on, so that no access to the terminal stops playback. SIGHUP is left to the host: see `outlivesHangUp`.
@MainActor
public final class TerminalLifecycle {
    /// Whether the terminal belongs to somebody else now: most often to the shell, in front of this process.
    public private(set) var isBehindShell = false

    private let lifecycle: ApplicationLifecycle
    private let leaveScreen: @MainActor () -> Void
    private let enterScreen: @MainActor () -> Void
    private let goesOn: @MainActor () -> Bool
    private let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC)
    private var sources: [any DispatchSourceSignal] = []
    private var isCancelled = false
    private var looking: Task<Void, Never>?
    /// Whether this process has just gone on by itself, and the shell may be about to take the terminal.
    private var isSettling = false

    private static let lookingInterval = Duration.milliseconds(500)

    /// - Parameters:
    ///   - lifecycle: is told of the reason.
    ///   - leaveScreen: gives the terminal back as it was. Called after the lifecycle has been told, so after players have acted.
    ///     Also called if the shell has the terminal already: then its settings must not be touched.
    ///   - enterScreen: takes the terminal again, and draws. Called after the lifecycle has been told, and also if the process
    ///     was stopped and went on without the knowledge of anybody here.
    ///   - goesOn: whether something plays on in the background, asked when the background has been entered.
    public init(
        lifecycle: ApplicationLifecycle = .shared, leaveScreen: @escaping @MainActor () -> Void,
        enterScreen: @escaping @MainActor () -> Void, goesOn: @escaping @MainActor () -> Bool
    ) {
        self.lifecycle = lifecycle
        self.leaveScreen = leaveScreen
        self.enterScreen = enterScreen
        self.goesOn = goesOn
        for number in [SIGTTIN, SIGTTOU, SIGTSTP] { signal(number, SIG_IGN) }
        watch(SIGTSTP) { $0.suspend() }
        watch(SIGCONT) { $0.goOn() }
        if !ownsTerminal { fallBehind() }
    }

    isolated deinit {
        cancel()
        if terminal >= 0 { close(terminal) }
    }

    /// Whether playback is to go on although the terminal has gone: something plays behind the shell. A host asks before
    /// it ends by SIGHUP.
    public var outlivesHangUp: Bool { isBehindShell && goesOn() }

    /// From here on Ctrl-Z stops the process as it does by default, and the lifecycle is told nothing more.
    public func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        looking?.cancel()
        for source in sources { source.cancel() }
        signal(SIGTSTP, SIG_DFL)
    }

    private func watch(_ number: Int32, _ action: @escaping @MainActor (TerminalLifecycle) -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                if let self, !self.isCancelled { action(self) }
            }
        }
        source.activate()
        sources.append(source)
    }

    private var ownsTerminal: Bool { terminal < 0 || tcgetpgrp(terminal) == getpgrp() }

    private func suspend() {
        // The shell may have given the terminal back since it was looked at.
        if isBehindShell, ownsTerminal { look() }
        // Who stops a job that is in the background already wants it to be silent.
        let isToGoOn = !isBehindShell && terminal >= 0
        if !isBehindShell { fallBehind() }
        // A host may end because of it.
        guard !isCancelled else { return }
        guard isToGoOn, goesOn(), let waker = JobWaker() else {
            JobStop.stop()
            return look()
        }
        JobStop.stop()
        waker.end()
        // A slow shell takes the terminal only now: whether this process is in front is to be seen a little later.
        isSettling = true
        keepLooking()
    }

    private func goOn() {
        if !isSettling { look() }
    }

    private func look() {
        isSettling = false
        guard ownsTerminal else {
            if !isBehindShell { fallBehind() }
            return
        }
        if isBehindShell {
            isBehindShell = false
            looking?.cancel()
            lifecycle.leaveBackground(.jobStopped)
        }
        enterScreen()
    }

    private func fallBehind() {
        isBehindShell = true
        lifecycle.enterBackground(.jobStopped)
        leaveScreen()
        keepLooking()
    }

    private func keepLooking() {
        guard !isCancelled else { return }
        looking?.cancel()
        looking = Task { [weak self] in
            while (try? await Task.sleep(for: Self.lookingInterval)) != nil {
                guard let self, !self.isTerminalGone else { return }
                self.isSettling = false
                if self.ownsTerminal { return self.look() }
            }
        }
    }

    /// After a hang-up there is nothing to come back to.
    private var isTerminalGone: Bool { tcgetpgrp(terminal) < 0 }
}
