#if GStreamer
import BenchmarkSupport
import Foundation
import Measuring

/// The figures of all engines, in one table. The runs of a round alternate.
@MainActor
struct Comparison {
    let rounds: Int
    let seconds: Double
    let folder: URL

    /// The longest time to the first frame, as a ratio to that of the C program.
    private static let bound = 1.10
    private static let items = 9
    private static let itemLength = 2.0

    private var rows: [String] = []

    init(rounds: Int, seconds: Double, folder: URL) {
        (self.rounds, self.seconds, self.folder) = (rounds, seconds, folder)
    }

    /// - Returns: the table, and `true` if the bound is met.
    mutating func run() async throws -> (table: String, isMet: Bool) {
        let subjects = Subject.allCases.map(\.rawValue)
        rows = [
            "| | " + subjects.joined(separator: " | ") + " | C program |",
            "|---" + String(repeating: "|---", count: subjects.count + 1) + "|",
        ]
        let isMet = try await measureStart()
        try await measurePlayback()
        try await measureSeeks()
        try await measureQueue()
        try await measureCrowd()
        return (rows.joined(separator: "\n"), isMet)
    }

    private mutating func add(_ name: String, _ cells: [String]) {
        let row = "| \(name) | " + cells.joined(separator: " | ") + " |"
        say(row)
        rows.append(row)
    }

    /// The figures of one run, in its own process.
    private func figures(_ run: Run, _ subject: Subject, _ arguments: [String]) async throws -> [Double] {
        say("\(run.rawValue), \(subject.rawValue)")
        let text = try await output(of: "engines", [run.rawValue, subject.rawValue] + arguments)
        return text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    }

    private func figure(_ run: Run, _ subject: Subject, _ arguments: [String]) async throws -> Double {
        guard let figure = try await figures(run, subject, arguments).first else {
            throw Failure(description: "\(subject.rawValue) has no figure")
        }
        return figure
    }

    private func text(_ value: Double, _ digits: Int = 0) -> String { String(format: "%.\(digits)f", value) }

    // MARK: Rows

    private mutating func measureStart() async throws -> Bool {
        let clip = try await makeClip("640x360", seconds: 20)
        defer { try? FileManager.default.removeItem(at: clip) }
        var (times, program): ([Subject: [Double]], [Double]) = ([:], [])
        for _ in 1...rounds {
            for subject in Subject.allCases {
                times[subject, default: []].append(try await figure(.start, subject, [clip.path()]))
            }
            let text = try await output(of: "engines-peer", [clip.path(), "\(Subject.warmUp)"])
            guard let time = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw Failure(description: "the C program printed: \(text)")
            }
            program.append(time)
        }
        add("first frame, ms", Subject.allCases.map { text(median(times[$0]!)) } + [text(median(program))])
        let ratios = zip(times[.gstreamer]!, program).map { $0 / $1 }
        let isMet = median(ratios) <= Self.bound
        print(
            String(
                format: "first frame: gstreamer ÷ C program %.2f (%.2f to %.2f), bound %.2f", median(ratios),
                ratios.min()!, ratios.max()!, Self.bound), verdict(isMet))
        return isMet
    }

    private mutating func measurePlayback() async throws {
        let clip = try await makeClip("1280x720", seconds: seconds + 20)
        defer { try? FileManager.default.removeItem(at: clip) }
        var shares: [Subject: [Double]] = [:]
        for _ in 1...rounds {
            for subject in Subject.allCases {
                shares[subject, default: []].append(try await figure(.play, subject, [clip.path(), "\(seconds)"]))
            }
        }
        add("CPU of 720p, % of a core", Subject.allCases.map { text(median(shares[$0]!), 1) } + [""])
    }

    private mutating func measureSeeks() async throws {
        let clip = try await makeClip("1280x720", seconds: 62)
        defer { try? FileManager.default.removeItem(at: clip) }
        var cells: [String] = []
        for subject in Subject.allCases {
            let times = try await figures(.seek, subject, [clip.path()])
            cells.append("\(text(median(times))), worst \(text(times.max() ?? .nan))")
        }
        add("exact seek of a paused item at 720p, ms", cells + [""])
    }

    private mutating func measureQueue() async throws {
        let server = try await TestAudioServer()
        setenv("PULSE_SERVER", server.address, 1)
        defer { unsetenv("PULSE_SERVER") }
        let files = try await makeItems()
        var cells: [String] = []
        for subject in Subject.allCases {
            let recorder = try await Recorder(server, in: folder)
            _ = try await figures(.queue, subject, files.map { $0.path() })
            let gaps = try await recorder.finish().transitions.map { abs($0.gap) * 1000 }
            guard gaps.count == Self.items - 1 else {
                throw Failure(description: "\(subject.rawValue) has \(gaps.count) transitions")
            }
            cells.append("\(text(median(gaps), 1)), worst \(text(gaps.max()!, 1))")
        }
        add("gap or overlap in a queue of FLAC, ms", cells + [""])
    }

    /// Items that continue one tone, alternately on the left and on the right.
    private func makeItems() async throws -> [URL] {
        var items: [URL] = []
        for index in 0..<Self.items {
            let file = folder.appending(path: "\(index).flac")
            let channel: Tone.Channel = index.isMultiple(of: 2) ? .left : .right
            let tone = Tone.input(channel, from: Double(index) * Self.itemLength, seconds: Self.itemLength)
            try await output(of: "ffmpeg", ["-v", "error", "-nostdin", "-y"] + tone + ["-c:a", "flac", file.path()])
            items.append(file)
        }
        return items
    }

    private mutating func measureCrowd() async throws {
        let clip = try await makeClip("320x180", seconds: 180)
        defer { try? FileManager.default.removeItem(at: clip) }
        var cells: [String] = []
        for subject in Subject.allCases { cells.append(text(try await figure(.crowd, subject, [clip.path()]))) }
        add("memory of \(Subject.crowd) players at 320×180, MB", cells + [""])
    }
}

/// The table of the README.
enum Figures {
    private static let file = URL(filePath: #filePath).appending(path: "../../../README.md").standardized

    static func update(_ table: String) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        let (start, end) = ("<!-- engines -->\n", "\n<!-- end of engines -->")
        guard let first = text.range(of: start), let last = text.range(of: end) else {
            throw Failure(description: "\(file.path()) has no table of the engines")
        }
        try Data((text[..<first.upperBound] + table + text[last.lowerBound...]).utf8).write(to: file)
    }
}
#endif
