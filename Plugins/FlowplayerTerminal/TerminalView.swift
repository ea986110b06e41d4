import Dispatch
import Foundation
import Playback
import Synchronization

/// Shows the video of a player in a terminal, with a status line below it.
///
/// Each cell of the terminal shows two pixels, as the upper half block ▀ in two colours. Terminals with the graphics
/// protocol of kitty show images: see `keys(in:)`. The view writes only what has changed, and it never waits for the
/// terminal: frames that arrive before the last one is out are skipped. The view is the only writer. While it is on the
/// screen, the program writes nothing else to the terminal.
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
    /// Ends an image whose transmission was cut.
    static let stringEnd = "\u{1B}\\"
    /// Restores the screen and the cursor. For handlers of fatal signals; otherwise use `leave()`.
    public static let leaveSequence =
        "\(stringEnd)\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    // The alternate screen, without a cursor and line breaks.
    private static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    // Terminals that know mode 2026 show everything between these at once. Others ignore them.
    private static let beginSequence = "\u{1B}[?2026h"
    private static let endSequence = "\u{1B}[?2026l"

    /// The newest values that the terminal shall show.
    private struct Wish {
        var frame: VideoFrame?
        /// Counts the frames.
        var frameNumber = 0
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
    /// `nil` if the terminal is never asked.
    private nonisolated let query: Mutex<ImageQuery?>

    private var output: TerminalOutput
    private var painter: CellPainter
    /// `nil` while the terminal is not known to show images.
    private var imagePainter: ImagePainter?
    private var shownFrame = 0
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
    ///   - environment: the variables `NO_COLOR`, `TERM` and `COLORTERM`; also `TMUX` and `STY`, under which images are
    ///     never used.
    ///   - asksForImages: `true` if the program passes the terminal's input through `keys(in:)`. Then `enter()` asks the
    ///     terminal whether it shows images.
    /// - Throws: the reason why the terminal can show no video.
    public init(
        output: Int32 = 1, environment: [String: String] = ProcessInfo.processInfo.environment,
        asksForImages: Bool = false
    ) throws(TerminalViewError) {
        let colours = try TerminalColours.announced(by: environment, isTerminal: isatty(output) == 1)
        let asksForImages = asksForImages && ImageQuery.isPossible(in: environment)
        self.init(output: output, colours: colours, asksForImages: asksForImages) { TerminalSize.of(output) }
    }

    /// - Parameter measure: returns the size of the terminal.
    init(
        output: Int32, colours: TerminalColours, asksForImages: Bool = false,
        measure: @escaping @Sendable () -> TerminalSize
    ) {
        self.colours = colours
        query = Mutex(asksForImages ? ImageQuery() : nil)
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
        queue.async { self.assumeIsolated { $0.redraw() } }
        return maximumFrameSize != before
    }

    /// The number of columns.
    public nonisolated var columns: Int { size.withLock { $0.columns } }

    /// The size of the frames that the view asks for, in pixels. A small frame is cheaper to decode and to draw.
    public nonisolated var maximumFrameSize: VideoSize? {
        let size = size.withLock { $0 }
        let hasImages = query.withLock { $0?.hasImages ?? false }
        let width = hasImages ? min(size.columns * size.cellWidth, ImagePainter.mostColumns) : size.columns
        let height = Double(size.videoRows) * size.cellHeight * Double(width) / Double(size.columns)
        // Rounded up, so that most changes of the terminal's size do not change that of the frames.
        return VideoSize(width: Self.rounded(width), height: Self.rounded(Int(height.rounded(.up))))
    }

    private static func rounded(_ length: Int) -> Int { max(1, (length + 63) / 64) * 64 }

    // MARK: Images

    /// Removes the terminal's answers from its input.
    ///
    /// Pass all input through this method if you have set `asksForImages`. If the answer is that the terminal shows images,
    /// `maximumFrameSize` changes. Then set the video output again.
    ///
    /// - Parameter input: the bytes that the program has read from the terminal, in raw mode and without echo.
    /// - Returns: the keys of the user. Bytes that may begin an answer are returned by a later call.
    public nonisolated func keys(in input: some Sequence<UInt8>) -> [UInt8] {
        let (keys, isNew) = query.withLock { query in
            let hadImages = query?.hasImages ?? false
            let keys = query?.keys(in: input) ?? Array(input)
            return (keys, query?.hasImages == true && !hadImages)
        }
        if isNew { queue.async { self.assumeIsolated { $0.useImages() } } }
        return keys
    }

    /// `true` while the terminal has not answered. Read the rest of the answer before your program ends, because it would
    /// reach the shell. Some terminals never answer.
    public nonisolated var isWaitingForAnswer: Bool { query.withLock { $0?.isWaiting ?? false } }

    private func useImages() {
        imagePainter = ImagePainter(size: size.withLock { $0 })
        redraw()
    }

    // MARK: Content

    public nonisolated func receive(_ frame: VideoFrame) {
        want {
            $0.frame = frame
            $0.frameNumber += 1
        }
    }

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
        redraw()
    }

    private func leaveScreen() {
        guard isEntered else { return }
        isEntered = false
        stopWriting()
        var bytes = Array(Self.stringEnd.utf8)
        imagePainter?.clear(into: &bytes)
        output.finish(bytes + Self.leaveSequence.utf8)
    }

    /// Draws everything.
    private func redraw() {
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
        var bytes: [UInt8] = []
        if isStale || painter.size != size { clear(to: size, into: &bytes) }
        if let frame = wish.frame { paint(frame, wish.frameNumber, into: &bytes) }
        let status = wish.status.cut(toTerminalColumns: size.columns)
        if status != shownStatus {
            shownStatus = status
            // Cleared first: after a text of all columns the cursor is on its last character.
            bytes += "\u{1B}[0m\u{1B}[\(size.rows);1H\u{1B}[K\(status)".utf8
        }
        guard !bytes.isEmpty else { return }
        // An image is longer than terminals allow for an update.
        if imagePainter == nil { bytes = Self.beginSequence.utf8 + bytes + Self.endSequence.utf8 }
        writeCount += 1
        output.write(bytes)
        if !output.isEmpty { keepWriting() }
    }

    /// Forgets what the screen shows.
    private func clear(to size: TerminalSize, into bytes: inout [UInt8]) {
        isStale = false
        shownStatus = ""
        shownFrame = 0
        painter = CellPainter(size: size, colours: colours)
        if imagePainter != nil {
            imagePainter?.clear(into: &bytes)
            imagePainter = ImagePainter(size: size)
        }
        bytes += "\(Self.enterSequence)\u{1B}[0m\u{1B}[2J".utf8
        bytes += (query.withLock { $0?.ask() } ?? "").utf8
    }

    private func paint(_ frame: VideoFrame, _ number: Int, into bytes: inout [UInt8]) {
        guard number != shownFrame else { return }
        shownFrame = number
        if imagePainter != nil {
            imagePainter?.paint(frame, into: &bytes)
        } else {
            painter.paint(CellImage(frame, size: painter.size, colours: colours), into: &bytes)
        }
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
