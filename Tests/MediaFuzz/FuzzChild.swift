import Foundation

/// Plays mutants, many at once, and prints the start and the end of each to standard output.
struct FuzzChild {
    /// The variable that has what to play.
    static let names = "MEDIA_FUZZ_NAMES"
    /// Players at once.
    static let width = 12

    let seed: UInt64
    /// Where the whole media are.
    let folder: URL
    /// The name of a mutant, for trying what finds crashes.
    let crashOn: String?

    func play(_ names: [Mutant.Name]) async throws {
        var whole: [FuzzFormat: [String: Data]] = [:]
        for format in Set(names.map(\.format)) { whole[format] = try Self.read(format, in: folder) }
        let (folder, crashOn, media) = (folder, crashOn, whole)
        await withTaskGroup(of: Void.self) { group in
            for (index, name) in names.enumerated() {
                if index >= Self.width { await group.next() }
                guard let files = media[name.format] else { continue }
                group.addTask { await Self.play(Mutant(name, seed: seed, of: files), in: folder, crashOn) }
            }
        }
        // Players end after their owners: what crashes then has to crash here.
        await Self.settle()
        Self.report("over")
    }

    static func read(_ format: FuzzFormat, in folder: URL) throws -> [String: Data] {
        let own = folder.appending(path: format.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: own.path())
        return try names.reduce(into: [:]) { $0[$1] = try Data(contentsOf: own.appending(path: $1)) }
    }

    private static func play(_ mutant: Mutant, in folder: URL, _ crashOn: String?) async {
        report("begin \(mutant.name)")
        if crashOn == "\(mutant.name)" { abort() }
        do {
            let run = try await MutantRun(mutant, folder: folder)
            let isBad = run.ending == .stuck || run.ending == .twice
            report(
                "end \(mutant.name) \(run.frames) \(run.time) \(run.ending.text)"
                    + (isBad ? "\t\(mutant.story): \(run.log)".replacing("\n", with: " ") : ""))
        } catch {
            report("end \(mutant.name) 0 0 error\t\(error)".replacing("\n", with: " "))
        }
    }

    private static func settle() async {
        func threads() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
        }
        for _ in 1...200 where threads() > 16 { try? await Task.sleep(for: .milliseconds(50)) }
    }

    /// At once: a crash must not take it with it.
    private static func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
