import Foundation
import Playback

/// Moves a terminal program to the background by Ctrl-Z, and to the foreground by `fg`.
///
/// ```swift
/// let job = TerminalJob(
///     leaveScreen: { terminal.leave() }, enterScreen: { terminal.enter() },
///     keepsPlaying: { view.avPlayer?.snapshot.shouldPlay == true })
/// ```
///
/// The background reason is `jobStopped`. On Ctrl-Z the process stops, so that the shell shows its prompt. If no player
/// keeps playing, the process stays stopped until `bg` or `fg`. Otherwise it continues as soon as the shell has detected the
/// stop, some hundredths of a second later, and buffered audio has no gap. A process that starts in the background is
/// `jobStopped` from the start. A process without a controlling terminal never is.
///
/// The terminal decides about the foreground, not the signal: after `bg` or `kill -CONT` by another program, the process
/// stays in the background. A shell sends no signal on `fg` for a job that is already running. In the background, the
/// process therefore checks the terminal twice a second.
///
/// Use one instance per process. It handles SIGTSTP and SIGCONT until it is cancelled. It ignores SIGTTIN and SIGTTOU, so
/// that no access to the terminal stops playback. The host handles SIGHUP: see `outlivesHangUp`.
@preconcurrency @MainActor
public final class TerminalJob {
    /// `true` if another process group, usually the shell, has the terminal.
    public private(set) var isBehindShell = false

    private let lifecycle: ApplicationLifecycle
    private let leaveScreen: @MainActor () -> Void
    private let enterScreen: @MainActor () -> Void
    private let keepsPlaying: @MainActor () -> Bool
    private let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC)
    private var sources: [any DispatchSourceSignal] = []
    private var isCancelled = false
    private var checking: Task<Void, Never>?
    /// `true` if this process has just continued, and the shell may be about to take the terminal.
    private var isSettling = false

    private static let checkInterval = Duration.milliseconds(500)

    /// - Parameters:
    ///   - lifecycle: receives the reason.
    ///   - leaveScreen: restores the terminal. Called after the lifecycle has changed, so after players have reacted. Also
    ///     called if the shell already has the terminal: then its settings must not be changed.
    ///   - enterScreen: takes the terminal and draws. Called after the lifecycle has changed, and also if another program
    ///     has stopped and continued the process.
    ///   - keepsPlaying: returns `true` if a player keeps playing in the background. Called in the background.
    public init(
        lifecycle: ApplicationLifecycle = .shared, leaveScreen: @escaping @MainActor () -> Void,
        enterScreen: @escaping @MainActor () -> Void, keepsPlaying: @escaping @MainActor () -> Bool
    ) {
        self.lifecycle = lifecycle
        self.leaveScreen = leaveScreen
        self.enterScreen = enterScreen
        self.keepsPlaying = keepsPlaying
        for number in [SIGTTIN, SIGTTOU, SIGTSTP] { signal(number, SIG_IGN) }
        watch(SIGTSTP) { $0.suspend() }
        watch(SIGCONT) { if !$0.isSettling { $0.checkTerminal() } }
        if !ownsTerminal { fallBehind() }
    }

    isolated deinit {
        cancel()
        if terminal >= 0 { close(terminal) }
    }

    /// `true` if playback is to continue without a terminal, because a player keeps playing in the background. Check it
    /// before you exit on SIGHUP.
    public var outlivesHangUp: Bool { isBehindShell && keepsPlaying() }

    /// Restores the default action of Ctrl-Z. The lifecycle receives no more changes.
    public func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        checking?.cancel()
        for source in sources { source.cancel() }
        signal(SIGTSTP, SIG_DFL)
    }

    private func watch(_ number: Int32, _ action: @escaping @MainActor (TerminalJob) -> Void) {
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

    /// `true` after the terminal was closed. Nobody has it any more.
    private var hasHungUp: Bool { terminal >= 0 && tcgetpgrp(terminal) < 0 }

    private func suspend() {
        // The shell may have returned the terminal since the last check.
        if isBehindShell, ownsTerminal { checkTerminal() }
        // A user who stops a job in the background wants silence.
        let mayContinue = !isBehindShell && terminal >= 0
        if !isBehindShell { fallBehind() }
        // The host may have cancelled in a callback.
        guard !isCancelled else { return }
        let waker = mayContinue && keepsPlaying() ? JobWaker() : nil
        JobStop.stop()
        guard let waker else { return checkTerminal() }
        waker.end()
        // A slow shell takes the terminal only now, so the next check is delayed.
        isSettling = true
        keepChecking()
    }

    private func checkTerminal() {
        isSettling = false
        guard ownsTerminal else {
            // A hang-up also sends SIGCONT. A program in front stays there, so that SIGHUP ends it.
            if !isBehindShell, !hasHungUp { fallBehind() }
            return
        }
        if isBehindShell {
            isBehindShell = false
            checking?.cancel()
            lifecycle.leaveBackground(.jobStopped)
        }
        enterScreen()
    }

    private func fallBehind() {
        isBehindShell = true
        lifecycle.enterBackground(.jobStopped)
        leaveScreen()
        keepChecking()
    }

    private func keepChecking() {
        guard !isCancelled else { return }
        checking?.cancel()
        checking = Task { [weak self] in
            while (try? await Task.sleep(for: Self.checkInterval)) != nil {
                guard let self, !self.hasHungUp else { return }
                self.isSettling = false
                if self.ownsTerminal { return self.checkTerminal() }
            }
        }
    }
}
