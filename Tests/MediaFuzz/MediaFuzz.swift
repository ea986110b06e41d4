import ArgumentParser
import Foundation
import TestSupport

/// Plays damaged media with the real engine, in child processes. No child crashes, and each item
/// ends once, in time.
@main
struct MediaFuzz: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media-fuzz", abstract: "Plays mutated media and prints the results.",
        discussion: """
            Uses the engine that FLOWPLAYER_ENGINE_NAME names, or libVLC. Exits with 1 if an item crashes the player, never ends,
            or ends twice.
            """)

    @Option(help: "The seed of the mutants.")
    var seed: UInt64 = 1

    @Option(help: "How many, over all formats.")
    var count = 200

    @Option(help: "One format only.")
    var format: String?

    @Option(help: "One mutant only, as in mp4/17.")
    var only: String?

    @Option(help: "Keep the mutants that end badly, in this folder.")
    var keep: String?

    @Flag(help: "Print each mutant and its ending.")
    var verbose = false

    @Flag(help: "Also play what is known to crash an engine.")
    var withKnown = false

    /// For trying this program itself: crashes on one mutant.
    @Option(help: .hidden)
    var crashOn: String?

    @Option(help: .hidden)
    var child: String?

    mutating func validate() throws {
        guard count > 0 else { throw ValidationError("The count must be positive.") }
        if let only, Mutant.Name(only) == nil { throw ValidationError("There is no mutant \(only).") }
        if let format, FuzzFormat(rawValue: format) == nil { throw ValidationError("There is no format \(format).") }
    }

    func run() async throws {
        setenv("PULSE_SERVER", "unix:/no/such/socket", 1)
        for name in ["DISPLAY", "WAYLAND_DISPLAY"] { setenv(name, "", 1) }
        if let child {
            let folder = URL(filePath: child)
            try await FuzzChild(seed: seed, folder: folder, crashOn: crashOn).play(readNames())
            return
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "media-fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let formats = format.flatMap(FuzzFormat.init).map { [$0] } ?? FuzzFormat.allCases
        let names = only.flatMap { Mutant.Name($0) }.map { [$0] } ?? Mutant.names(count, of: formats)
        for format in Set(names.map(\.format)) { _ = try await format.whole(in: folder) }
        var campaign = FuzzCampaign(seed: seed, folder: folder, isVerbose: verbose, crashOn: crashOn)
        let known = withKnown ? [] : KnownCrash.all.filter { $0.seed == seed }
        for crash in known where names.contains(crash.name) {
            print("skipped \(crash.name): \(crash.reason)")
        }
        try await campaign.run(names.filter { name in !known.contains { $0.name == name } })
        print(campaign.report)
        if let keep { try campaign.keepBad(in: URL(filePath: keep)) }
        if !campaign.isGood { throw ExitCode(1) }
    }

    /// From the environment: the arguments are for people.
    private func readNames() -> [Mutant.Name] {
        let text = ProcessInfo.processInfo.environment[FuzzChild.names] ?? ""
        return text.split(separator: " ").compactMap { Mutant.Name(String($0)) }
    }
}
