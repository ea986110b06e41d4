// Measures the cost of showing video: in a window of GTK, in mpv's windows, without a view, and in a terminal.
// usage: views [ROUNDS [SECONDS]], 5 rounds of 10 seconds by default
import BenchmarkSupport
import Foundation
import Measuring

/// CPU of playback as a share of a core, and the share of frames that were painted.
struct Figures {
    let cpu: Double
    let painted: Double
}

struct Clip {
    let size: String
    let rate: Double
    var name: String { "\(size.split(separator: "x")[1])p\(Int(rate))" }
}

@MainActor
struct Views {
    let rounds: Int
    let seconds: Double
    let folder = FileManager.default.temporaryDirectory.appending(path: "views-\(UUID().uuidString)")

    private static let clips = [
        Clip(size: "640x360", rate: 25), Clip(size: "1280x720", rate: 30), Clip(size: "1920x1080", rate: 30),
    ]
    private static let window = "960x540"

    func run() async throws -> Bool {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        print("windows of \(Self.window), medians of \(rounds) rounds of \(seconds) s; CPU in % of a core")
        print("clip      no view     GTK painted   mpv x11 painted   mpv gpu painted   GTK ÷ x11             GTK ÷ gpu")
        var isMet = true
        var last: URL?
        for clip in Self.clips {
            let file = try await make(clip)
            isMet = try await measure(clip, file) && isMet
            last = clip.name == "720p30" ? file : last
        }
        guard let file = last else { return false }
        isMet = try await measurePause(file) && isMet
        return try await measureTerminal(file) && isMet
    }

    private func make(_ clip: Clip) async throws -> URL {
        let file = folder.appending(path: "\(clip.name).mp4")
        try await output(
            of: "ffmpeg",
            [
                "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                "testsrc2=size=\(clip.size):rate=\(clip.rate):duration=\(seconds + 20)", "-c:v", "libx264", "-pix_fmt",
                "yuv420p", "-preset", "veryfast", "-g", "60", file.path(),
            ])
        return file
    }

    // MARK: Playback

    private func measure(_ clip: Clip, _ file: URL) async throws -> Bool {
        var (none, gtk, x11, gpu): ([Figures], [Figures], [Figures], [Figures]) = ([], [], [], [])
        for round in 1...rounds {
            say("\(clip.name), round \(round) of \(rounds)")
            none.append(try await player("none", file, rate: clip.rate))
            gtk.append(try await player("gtk", file, rate: clip.rate))
            x11.append(try await mpv(["--vo=x11"], file, rate: clip.rate))
            gpu.append(try await mpv(["--vo=gpu", "--gpu-sw", "--gpu-api=opengl"], file, rate: clip.rate))
        }
        let toX11 = zip(gtk, x11).map { $0.cpu / $1.cpu }
        let toGPU = zip(gtk, gpu).map { $0.cpu / $1.cpu }
        func percent(_ figures: [Figures]) -> String {
            String(
                format: "%9.1f %6.1f%%", 100 * median(figures.map(\.cpu)), 100 * median(figures.map(\.painted)))
        }
        func spread(_ ratios: [Double]) -> String {
            String(format: "  %.2f (%.2f to %.2f)", median(ratios), ratios.min()!, ratios.max()!)
        }
        print(
            clip.name.padding(toLength: 8, withPad: " ", startingAt: 0),
            String(format: "%8.1f", 100 * median(none.map(\.cpu))), percent(gtk), percent(x11), percent(gpu),
            spread(toX11), spread(toGPU))
        guard clip.name == "720p30" else { return true }
        let (isPainted, isCheap) = (median(gtk.map(\.painted)) >= 0.99, median(toGPU) <= 1.15)
        print("  all frames painted: \(verdict(isPainted)); CPU ÷ mpv gpu, bound 1.15: \(verdict(isCheap))")
        return isPainted && isCheap
    }

    private func player(_ view: String, _ file: URL, rate: Double) async throws -> Figures {
        let figures = try numbers(try await output(of: "views-player", [view, file.path(), "\(seconds)"]))
        return Figures(cpu: figures[0] / figures[2], painted: figures[1] / (figures[2] * rate))
    }

    private func numbers(_ line: String) throws -> [Double] {
        let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 3 else { throw Failure(description: "not three figures: \(line)") }
        return numbers
    }

    private func mpv(_ options: [String], _ file: URL, rate: Double) async throws -> Figures {
        // The status line is on standard error.
        let mpv = try await Command(
            "sh",
            ["-c", "exec mpv \"$@\" 2>&1", "mpv"] + options + [
                "--no-config", "--hwdec=no", "--ao=null", "--no-osc", "--geometry=\(Self.window)",
                "--term-status-msg=|${estimated-frame-number} ${frame-drop-count} ${decoder-frame-drop-count}|",
                file.path(),
            ]
        ).start()
        // As long as the player waits.
        try await Task.sleep(for: .seconds(5))
        let (before, start) = (try cpuTime(of: mpv.processIdentifier), ContinuousClock.now)
        let first = try paintedFrames(mpv)
        try await Task.sleep(for: .seconds(seconds))
        let used = try cpuTime(of: mpv.processIdentifier) - before
        let painted = try paintedFrames(mpv) - first
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        mpv.signal(SIGKILL)
        _ = try await mpv.result
        return Figures(cpu: used / elapsed, painted: painted / (elapsed * rate))
    }

    /// The frames that mpv has painted, by its status line: all frames, and those that were dropped.
    private func paintedFrames(_ mpv: RunningCommand) throws -> Double {
        let lines = try mpv.outputSoFar.split(separator: "|").map { $0.split(separator: " ").compactMap { Double($0) } }
        guard let last = lines.last(where: { $0.count == 3 }) else { throw Failure(description: "mpv does not play") }
        return last[0] - last[1] - last[2]
    }

    /// The CPU time of another process, in seconds.
    private func cpuTime(of process: pid_t) throws -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw Failure(description: "mpv has ended")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    // MARK: Pause

    /// Wake-ups while paused. The engine redraws a paused frame on its own threads.
    private func measurePause(_ file: URL) async throws -> Bool {
        let server = try await LoopbackServer(files: folder)
        var isMet = true
        print(
            "\npaused, 720p30: wake-ups a minute   empty window  main  window  engine  painted   bound for the difference"
        )
        for (name, source) in [
            ("file", file.path()), ("server", server.base.appending(path: file.lastPathComponent).absoluteString),
        ] {
            say("paused, \(name)")
            let time = max(seconds, 30)
            let lines = try await output(of: "views-player", ["paused", source, "\(time)"]).split(separator: "\n")
            for line in lines { say(String(line)) }
            func perMinute(_ start: String) -> Double {
                let counts = lines.filter { $0.hasPrefix(start) }.map { Double($0.split(separator: " ")[2]) ?? 0 }
                return counts.reduce(0, +) * 60 / time
            }
            let (empty, main, window) = (perMinute("empty"), perMinute("paused main"), perMinute("paused window"))
            let isFew = main + window - empty <= 60
            print(
                name.padding(toLength: 34, withPad: " ", startingAt: 0),
                String(
                    format: "%12.0f %5.0f %7.0f %7.0f %8.0f   60", empty, main, window, perMinute("paused engine"),
                    perMinute("painted")), verdict(isFew))
            isMet = isMet && isFew
        }
        return isMet
    }

    // MARK: Terminal

    private func measureTerminal(_ file: URL) async throws -> Bool {
        var shares: [Double] = []
        for round in 1...rounds {
            say("terminal, round \(round) of \(rounds)")
            let figures = try numbers(try await output(of: "views-player", ["terminal", file.path(), "\(seconds)"]))
            shares.append(figures[0] / figures[2])
        }
        let share = median(shares)
        print(
            String(
                format: "\nterminal of 80×24 cells, 24 frames a second: %.2f %% of a core for the drawing; bound 2 %% ",
                100 * share) + verdict(share <= 0.02))
        return share <= 0.02
    }
}

let numbers = CommandLine.arguments.dropFirst().compactMap(Double.init)
let views = Views(rounds: max(1, Int(numbers.first ?? 5)), seconds: numbers.dropFirst().first ?? 10)
await runBenchmark(needs: ["Xvfb": "xvfb", "ffmpeg": "ffmpeg", "mpv": "mpv"]) {
    let screen = try await VirtualScreen(width: 1280, height: 800)
    setenv("DISPLAY", screen.display, 1)
    for (name, value) in ["GDK_BACKEND": "x11", "GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none"] {
        setenv(name, value, 1)
    }
    setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1)
    unsetenv("WAYLAND_DISPLAY")
    return try await views.run()
}
