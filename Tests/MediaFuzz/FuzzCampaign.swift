import Foundation
import TestSupport

/// Lets children play mutants, and finds the one on which a child died.
struct FuzzCampaign {
    private struct Outcome {
        let text: String
        let time: Double
        let frames: Int
        /// The report about a bad mutant.
        let details: String

        var isBad: Bool { text != "complete" && !text.hasPrefix("failure ") }
    }

    /// The output of a child.
    private struct Told: Sendable {
        var begun: [Mutant.Name] = []
        var ended: [(name: Mutant.Name, line: Substring)] = []
        /// Why it ended early.
        var death: String?
    }

    private struct Death {
        let reason: String
        let suspects: [Mutant.Name]
    }

    let seed: UInt64
    let folder: URL
    let isVerbose: Bool
    private let crashOn: [String]

    private var outcomes: [Mutant.Name: Outcome] = [:]
    private var deaths: [Death] = []
    private var seconds = 0.0

    /// Mutants for a child.
    private static let batch = 48
    /// At once.
    private static let children = 2
    /// For a child and all its mutants.
    private static let timeout = Duration.seconds(240)

    init(seed: UInt64, folder: URL, isVerbose: Bool, crashOn: String?) {
        (self.seed, self.folder, self.isVerbose) = (seed, folder, isVerbose)
        self.crashOn = crashOn.map { ["--crash-on", $0] } ?? []
    }

    mutating func run(_ names: [Mutant.Name]) async throws {
        let started = ContinuousClock.now
        var batches = stride(from: 0, to: names.count, by: Self.batch).map {
            Array(names[$0..<min($0 + Self.batch, names.count)])
        }[...]
        let arguments = ["--seed", "\(seed)", "--child", folder.path()] + crashOn
        try await withThrowingTaskGroup(of: (batch: [Mutant.Name], reported: Told).self) { group in
            for _ in 0..<Self.children {
                guard let batch = batches.popFirst() else { break }
                group.addTask { (batch, try await Self.child(batch, arguments)) }
            }
            while let (batch, reported) = try await group.next() {
                batches += take(reported, of: batch)
                guard let next = batches.popFirst() else { continue }
                group.addTask { (next, try await Self.child(next, arguments)) }
            }
        }
        seconds = (ContinuousClock.now - started) / .seconds(1)
    }

    /// Reads the output of a child.
    ///
    /// - Returns: the mutants that are still to play. If the child died, the mutants that it was playing are played alone.
    private mutating func take(_ reported: Told, of batch: [Mutant.Name]) -> [[Mutant.Name]] {
        for (name, line) in reported.ended { note(line, of: name) }
        guard let death = reported.death else { return [] }
        if batch.count == 1 {
            note(Outcome(text: "crash", time: 0, frames: 0, details: death), of: batch[0])
            return []
        }
        // Nothing was being played: what has just ended did it, or all together.
        let open = reported.begun.filter { outcomes[$0] == nil }
        let suspects = open.isEmpty ? reported.ended.suffix(FuzzChild.width).map(\.name) : open
        deaths.append(Death(reason: death, suspects: suspects))
        let rest = batch.filter { outcomes[$0] == nil && !suspects.contains($0) }
        return suspects.map { [$0] } + (rest.isEmpty ? [] : [rest])
    }

    private mutating func note(_ line: Substring, of name: Mutant.Name) {
        let parts = line.split(separator: "\t", maxSplits: 1)
        let words = parts[0].split(separator: " ", maxSplits: 2)
        guard words.count == 3 else { return }
        note(
            Outcome(
                text: String(words[2]), time: Double(words[1]) ?? 0, frames: Int(words[0]) ?? 0,
                details: parts.count == 2 ? String(parts[1]) : ""), of: name)
    }

    private mutating func note(_ outcome: Outcome, of name: Mutant.Name) {
        // A crash stays one.
        if outcomes[name]?.text != "crash" { outcomes[name] = outcome }
        if isVerbose { print("\(name)", outcome.text, String(format: "%.2f s", outcome.time), outcome.details) }
    }

    // MARK: Children

    private static func child(_ batch: [Mutant.Name], _ arguments: [String]) async throws -> Told {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var command = Command(program, arguments)
        command.environment = [
            FuzzChild.names: batch.map(\.description).joined(separator: " "),
            "PULSE_SERVER": "unix:/no/such/socket", "DISPLAY": "", "WAYLAND_DISPLAY": "",
            "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no,threads=crashed,cache=no,images=none",
        ]
        let running = try await command.start()
        let watch = Task {
            try await Task.sleep(for: timeout)
            running.signal(SIGKILL)
        }
        let result = try await running.result
        watch.cancel()
        var reported = Told()
        for line in result.output.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count >= 2, let name = Mutant.Name(String(words[1])) else { continue }
            if words[0] == "begin" { reported.begun.append(name) }
            if words[0] == "end", words.count == 3 { reported.ended.append((name, words[2])) }
        }
        if !result.output.hasSuffix("over\n") || result.status != 0 {
            let reason = result.status == 128 + SIGKILL ? "hung" : "ended with status \(result.status)"
            reported.death = "\(reason)\n\(frames(of: result.errors))"
        }
        return reported
    }

    /// Where it crashed.
    private static func frames(of errors: String) -> String {
        let lines = errors.split(separator: "\n")
        let marks = lines.filter { $0.contains("rash") || $0.contains("atal") || $0.contains("ssert") }.prefix(3)
        let frames = lines.filter { $0.firstMatch(of: #/^ *\d+ /#) != nil }.prefix(12)
        return (marks + frames).map { "    " + $0 }.joined(separator: "\n")
    }

    // MARK: Report

    var isGood: Bool { deaths.isEmpty && !outcomes.isEmpty && !outcomes.values.contains { $0.isBad } }

    var report: String {
        let endings = Dictionary(grouping: outcomes.values, by: \.text).mapValues(\.count)
        let counts = endings.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        let frames = outcomes.values.reduce(0) { $0 + $1.frames }
        let longest = outcomes.max { $0.value.time < $1.value.time }
        var lines = [
            String(
                format: "%d mutants of seed %d in %.0f s: ", outcomes.count, Int(seed), seconds) + counts,
            String(format: "%d frames; the longest took %.1f s: ", frames, longest?.value.time ?? 0)
                + (longest.map { "\($0.key)" } ?? "none"),
        ]
        for (name, outcome) in bad { lines.append("BAD \(name) \(outcome.text): \(outcome.details)") }
        for death in deaths {
            lines.append(
                "DEATH of a process that played \(death.suspects.map(\.description).joined(separator: " ")): "
                    + death.reason)
        }
        return lines.joined(separator: "\n")
    }

    private var bad: [(Mutant.Name, Outcome)] {
        outcomes.filter { $0.value.isBad }.sorted { $0.key.description < $1.key.description }.map { ($0, $1) }
    }

    /// Writes the mutants that ended badly.
    func keepBad(in kept: URL) throws {
        for (name, _) in bad {
            let mutant = Mutant(name, seed: seed, of: try FuzzChild.read(name.format, in: folder))
            let own = kept.appending(path: "\(seed)-\(name)".replacing("/", with: "-"))
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            for (file, data) in mutant.files { try data.write(to: own.appending(path: file)) }
        }
    }
}
