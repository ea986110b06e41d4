#if GStreamer
import BenchmarkSupport
import Foundation
import Measuring

/// One run of mpv, with frames in the format of this SDK and without outputs. A script in it takes the times.
@MainActor
struct MPVRun {
    private static let options = ["--no-config", "--vo=null", "--vf=format=bgra", "--ao=null", "--hwdec=no"]

    /// Opens a file, and seeks while it is paused. Writes the times to the first frame and of the seeks, in milliseconds.
    private static let script = """
        local began
        local targets = {}
        for target in string.gmatch(os.getenv("TARGETS"), "%S+") do table.insert(targets, target) end
        mp.register_event("playback-restart", function()
            io.stdout:write((mp.get_time() - began) * 1000, "\\n")
            local target = table.remove(targets, 1)
            if not target then return mp.command("quit") end
            mp.add_timeout(0.3, function()
                began = mp.get_time()
                mp.commandv("seek", target, "absolute+exact")
            end)
        end)
        mp.add_timeout(\(Subject.warmUp), function()
            began = mp.get_time()
            mp.commandv("loadfile", os.getenv("FILE"))
        end)
        """

    /// Writes a line after a second of playback.
    private static let progress = """
        mp.observe_property("time-pos", "number", function(_, time)
            if time and time >= 1 then
                io.stdout:write("playing\\n")
                io.stdout:flush()
                mp.unobserve_property(true)
            end
        end)
        """

    private func withScript<Result>(_ text: String, _ body: (String) async throws -> Result) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "engines-\(UUID().uuidString).lua")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body("--script=\(file.path())")
    }

    private func times(_ file: URL, _ targets: [Double], _ options: [String]) async throws -> [Double] {
        let text = try await withScript(Self.script) { script in
            let environment = ["FILE": file.path(), "TARGETS": targets.map { "\($0)" }.joined(separator: " ")]
            return try await output(
                of: "mpv", Self.options + options + ["--idle=once", "--terminal=no", script],
                environment: environment)
        }
        let times = text.split(separator: "\n").compactMap { Double($0) }
        guard times.count == targets.count + 1 else { throw Failure(description: "mpv printed: \(text)") }
        return times
    }

    func start(_ file: URL) async throws -> Double { try await times(file, [], [])[0] }

    func seeks(_ file: URL) async throws -> [Double] {
        Array(try await times(file, Subject.targets, ["--pause"]).dropFirst())
    }

    /// Starts programs, and calls `body` while all of them play.
    private func playing(_ file: URL, count: Int, _ body: ([pid_t]) async throws -> Double) async throws -> Double {
        try await withScript(Self.progress) { script in
            let command = Command("mpv", Self.options + ["--terminal=no", "--loop", script, file.path()])
            var programs: [RunningCommand] = []
            defer { for program in programs { program.signal(SIGTERM) } }
            for _ in 0..<count { programs.append(try await command.start()) }
            try await become("mpv does not play") {
                programs.allSatisfy { (try? $0.outputSoFar)?.contains("playing") == true }
            }
            return try await body(programs.map(\.processIdentifier))
        }
    }

    func cpu(_ file: URL, seconds: Double) async throws -> Double {
        try await playing(file, count: 1) { processes in
            try await pause(2)
            let before = try cpuTime(of: processes[0])
            try await pause(seconds)
            return (try cpuTime(of: processes[0]) - before) / seconds * 100
        }
    }

    func crowd(_ file: URL) async throws -> Double {
        try await playing(file, count: Subject.crowd) { try $0.reduce(0) { $0 + (try memory(of: $1)) } }
    }

    func queue(_ files: [URL]) async throws {
        let options = ["--no-config", "--no-video", "--really-quiet", "--gapless-audio=yes", "--ao=pulse"]
        try await output(of: "mpv", options + files.map { $0.path() })
    }
}
#endif
