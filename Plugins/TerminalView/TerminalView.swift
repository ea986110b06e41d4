import Dispatch
import Foundation
import Playback
import Synchronization

/// Shows the video of a player in a terminal, with a status line below it.
///
/// Each cell of the terminal shows two pixels, as the upper half block ▀ in two colours. The view writes only what has
/// changed, and it never waits for the terminal: frames that arrive before the last one is out are skipped. The view is
/// the only writer. While it is on the screen, the program writes nothing else to the terminal.
///
/// ```swift
/// let terminal = try TerminalView()
/// view.videoOutput = .frames(terminal)
/// terminal.enter()
/// terminal.show(status: "0:05 / 4:00  clip.mp4")
/// // SIGWINCH: terminal.resize()   Ctrl-Z, end: terminal.leave()   fg: terminal.enter()
/// ```
///
/// The program handles signals. It restores the screen before it stops or exits: with `leave()`, and in a handler of
/// fatal signals by writing `leaveSequence`. Keys, echo and line editing of the terminal are left as they are.
public actor TerminalView: VideoFrameSink {
    /// Restores the screen and the cursor. For handlers of fatal signals; otherwise use `leave()`.
    public static let leaveSequence = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    // The alternate screen, without a cursor and line breaks.
    private static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    // Terminals that know mode 2026 show everything between these at once. Others ignore them.
    private static let beginSequence = "\u{1B}[?2026h"
    private static let endSequence = "\u{1B}[?2026l"

    /// The newest values that the terminal shall show.
    private struct Wish {
        var frame: VideoFrame?
        var status = ""
        /// `true` if a draw is scheduled that takes these values.
        var isScheduled = false
    }

    private let executor = QueueExecutor()
    private nonisolated var queue: DispatchQueue { executor.queue }
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private nonisolated let colours: TerminalColours
    private nonisolated let measure: @Sendable () -> TerminalSize
    private nonisolated let wish = Mutex(Wish())
    private nonisolated let size: Mutex<TerminalSize>

    private var output: TerminalOutput
    private var painter: CellPainter
    private var isEntered = false
    /// `true` if the screen shows something else than the painter believes.
    private var isStale = true
    private var shownStatus = ""
    private var writing: (any DispatchSourceWrite)?
    /// The number of times that something was written. For tests and measurements.
    private(set) var writeCount = 0

    /// Creates a view for a terminal. The screen stays as it is until `enter()`.
    ///
    /// - Parameters:
    ///   - output: the descriptor of the terminal.
    ///   - environment: the variables `NO_COLOR`, `TERM` and `COLORTERM`.
    /// - Throws: the reason why the terminal can show no video.
    public init(
        output: Int32 = 1, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(TerminalViewError) {
        let colours = try TerminalColours.announced(by: environment, isTerminal: isatty(output) == 1)
        self.init(output: output, colours: colours) { TerminalSize.of(output) }
    }

    /// - Parameter measure: returns the size of the terminal.
    init(output: Int32, colours: TerminalColours, measure: @escaping @Sendable () -> TerminalSize) {
        self.colours = colours
        self.measure = measure
        let size = measure()
        self.size = Mutex(size)
        self.output = TerminalOutput(output)
        painter = CellPainter(size: size, colours: colours)
    }

    // MARK: The screen

    /// Shows the view: the alternate screen, without a cursor. Draws everything again if it is shown already.
    public nonisolated func enter() {
        queue.sync { assumeIsolated { $0.enterScreen() } }
    }

    /// Restores the screen as it was before `enter()`. Frames are ignored until then. Waits for the terminal up to 2 s.
    public nonisolated func leave() {
        queue.sync { assumeIsolated { $0.leaveScreen() } }
    }

    /// Adapts the view to the size of the terminal. Call this at SIGWINCH.
    ///
    /// - Returns: `true` if `maximumFrameSize` has changed. Then set the video output again.
    @discardableResult
    public nonisolated func resize() -> Bool {
        let before = maximumFrameSize
        let measured = measure()
        size.withLock { $0 = measured }
        queue.async { self.assumeIsolated { $0.sizeChanged() } }
        return maximumFrameSize != before
    }

    /// The number of columns.
    public nonisolated var columns: Int { size.withLock { $0.columns } }

    /// The size of the frames that the view asks for, in pixels. A small frame is cheaper to decode and to draw.
    public nonisolated var maximumFrameSize: VideoSize? {
        let size = size.withLock { $0 }
        let height = (Double(size.videoRows) * size.cellHeight).rounded(.up)
        // Rounded up, so that most changes of the terminal's size do not change that of the frames.
        return VideoSize(width: Self.rounded(size.columns), height: Self.rounded(Int(height)))
    }

    private static func rounded(_ length: Int) -> Int { max(1, (length + 63) / 64) * 64 }

    // MARK: Content

    public nonisolated func receive(_ frame: VideoFrame) { want { $0.frame = frame } }

    /// Shows a text in the last row. It is cut to the columns, and control characters are removed.
    public nonisolated func show(status text: String) { want { $0.status = text } }

    private nonisolated func want(_ change: (inout Wish) -> Void) {
        let isFirst = wish.withLock { wish in
            change(&wish)
            defer { wish.isScheduled = true }
            return !wish.isScheduled
        }
        if isFirst { queue.async { self.assumeIsolated { $0.draw() } } }
    }

    // MARK: Drawing

    private func enterScreen() {
        isEntered = true
        isStale = true
        draw()
    }

    private func leaveScreen() {
        guard isEntered else { return }
        isEntered = false
        stopWriting()
        output.finish(Array(Self.leaveSequence.utf8))
    }

    private func sizeChanged() {
        isStale = true
        draw()
    }

    /// Writes what has changed, unless the last write is not out yet. Then the end of that write draws.
    private func draw() {
        let wish = wish.withLock { wish in
            wish.isScheduled = false
            return wish
        }
        guard isEntered, output.isEmpty else { return }
        let size = size.withLock { $0 }
        var bytes = Array(Self.beginSequence.utf8)
        let empty = bytes.count
        if isStale || painter.size != size {
            isStale = false
            painter = CellPainter(size: size, colours: colours)
            shownStatus = ""
            bytes = Array((Self.enterSequence + Self.beginSequence + "\u{1B}[0m\u{1B}[2J").utf8)
        }
        if let frame = wish.frame {
            painter.paint(CellImage(frame, size: size, colours: colours), into: &bytes)
        }
        let status = wish.status.cut(toTerminalColumns: size.columns)
        if status != shownStatus {
            shownStatus = status
            // Cleared first: after a text of all columns the cursor is on its last character.
            bytes += "\u{1B}[0m\u{1B}[\(size.rows);1H\u{1B}[K\(status)".utf8
        }
        guard bytes.count > empty else { return }
        bytes += Self.endSequence.utf8
        writeCount += 1
        output.write(bytes)
        if !output.isEmpty { keepWriting() }
    }

    /// Writes the rest as soon as the terminal takes more, and then draws the newest frame.
    private func keepWriting() {
        guard writing == nil else { return }
        let source = DispatchSource.makeWriteSource(fileDescriptor: output.descriptor, queue: queue)
        source.setEventHandler { [weak self] in
            self?.assumeIsolated { view in
                view.output.flush()
                guard view.output.isEmpty else { return }
                view.stopWriting()
                view.draw()
            }
        }
        source.activate()
        writing = source
    }

    private func stopWriting() {
        writing?.cancel()
        writing = nil
    }

    /// The number of bytes that wait for the terminal.
    var pendingBytes: Int { output.pendingBytes }
}

/// Runs an actor on a serial queue, which its dispatch sources share.
private final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "TerminalView")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
