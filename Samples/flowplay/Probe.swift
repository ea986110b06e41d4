import ArgumentParser
import FlowplayerSDK
import FlowplayerTerminal
import Foundation
import Playback
import PlayerControls

/// `flowplay probe`: prints what files and streams contain.
struct Probe: HostCommand {
    static let name = "probe"

    static let configuration = CommandConfiguration(
        commandName: name, _superCommandName: "flowplay",
        abstract: "Prints what files and streams contain, and whether they play.",
        usage: "flowplay \(name) [--json] [--engine <name>] [--header <field>]... <file-or-URL>...",
        discussion: """
            Opens each item as playback does, and plays its beginning without video and
            audio. Prints the container, the duration, the tracks, the qualities, the
            chapters, the metadata, and the window of a live stream.

            A file named \(name) in the current folder is played instead.

            EXAMPLES
              flowplay probe film.mkv
              flowplay probe https://host/live.m3u8
              curl -s https://host/film.mkv | flowplay probe -
              flowplay probe --json *.mp4 | jq -r 'select(.playable) | .file'

            EXIT STATUS
              0 all items play
              2 wrong usage
              3 an item does not play, or standard output cannot be written
            """)

    @Argument(
        help: ArgumentHelp("Files and addresses; - for standard input.", valueName: "file-or-URL"), completion: .file(),
        transform: MediaArgument.orStandardInput)
    var media: [MediaArgument] = []

    @Flag(help: "Print a JSON object for each item, in one line.")
    var json = false

    @Option(help: Options.engineHelp)
    var engine: String?

    @Option(
        help: ArgumentHelp("Send a header field to the servers. May be repeated.", valueName: "field"),
        transform: { try HeaderArgument($0) })
    var header: [HeaderArgument] = []

    private var backend: BackendName { engine.map(BackendName.named) ?? .default }

    func validate() throws {
        if media.isEmpty { throw ValidationError("Name at least one file or address.") }
    }

    @MainActor
    func run() async throws -> ExitCode {
        let registry = BackendRegistry.withBuiltIn
        guard backend == .default || registry.names.contains(backend) else {
            throw ValidationError(registry.reason(forMissing: backend, named: nil))
        }
        var status = ExitCode.success
        for argument in media {
            let report = await report(argument)
            if let error = report.error {
                status = .itemFailed
                if !json { Messages.print("\(report.file): \(error.message)") }
            }
            if json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                Messages.write(String(decoding: try encoder.encode(report), as: UTF8.self) + "\n", to: 1)
            } else if report.playable {
                Messages.write(report.text, to: 1)
            }
        }
        return status
    }

    @MainActor
    private func report(_ argument: MediaArgument) async -> ProbeReport {
        guard argument == .standardInput else {
            return ProbeReport(argument.url.redacted, await contents(of: argument.url))
        }
        do throws(StandardInput.Failure) {
            return ProbeReport("-", await contents(of: try await StandardInput.file()))
        } catch {
            return ProbeReport("-", ProbeReport.Failure(code: "readFailed", message: error.message))
        }
    }

    /// Plays the beginning of an item.
    @MainActor
    private func contents(of url: URL) async -> PlayerSnapshot {
        var item = PlayerItem(url: url)
        item.httpHeaders = Dictionary(header.map { ($0.name, $0.value) }) { $1 }
        let player = MediaPlayer(backend: BackendRegistry.makeSilentBackend(backend))
        player.videoOutput = .none
        player.isMuted = true
        let events = player.events()
        player.load(item, autoPlay: true)
        loop: for await event in events {
            switch event {
            // The metadata and the window of a live stream are known by now.
            case .position: if player.snapshot.state == .play { break loop }
            case .state(.complete), .state(.failure): break loop
            default: break
            }
        }
        defer { player.stop() }
        return player.snapshot
    }
}

/// The contents of an item.
struct ProbeReport: Encodable {
    struct Failure: Encodable {
        let code: String
        let message: String
    }

    let file: String
    let playable: Bool
    private(set) var container: String?
    /// In seconds.
    private(set) var duration: Double?
    private(set) var seekable: Bool?
    private(set) var type: PlaybackType?
    private(set) var video: [VideoTrack] = []
    private(set) var audio: [AudioTrack] = []
    private(set) var subtitles: [SubtitleTrack] = []
    private(set) var qualities: [VideoQuality] = []
    private(set) var metadata: MediaMetadata?
    /// The part of a live stream to which viewers can seek.
    private(set) var window: DVRWindow?
    private(set) var error: Failure?

    init(_ file: String, _ failure: Failure) {
        self.file = file
        playable = false
        error = failure
    }

    init(_ file: String, _ snapshot: PlayerSnapshot) {
        self.file = file
        playable = snapshot.error == nil
        error = snapshot.error.map { Failure(code: $0.code.rawValue, message: $0.message) }
        guard playable else { return }
        container = snapshot.container
        duration = snapshot.duration
        seekable = snapshot.isSeekable
        type = snapshot.playbackType
        video = snapshot.tracks?.video ?? []
        audio = snapshot.tracks?.audio ?? []
        subtitles = snapshot.tracks?.subtitles ?? []
        qualities = snapshot.qualities
        metadata = snapshot.metadata
        window = snapshot.dvrWindow
    }

    /// The report for people: the name of the item, and a line for each property.
    var text: String {
        var rows: [(name: String, value: String?)] = [
            ("Container", container),
            ("Duration", duration.map(TimeText.clock) ?? (type == .live ? "live" : "unknown")),
            ("Window", window.map { "\(TimeText.clock($0.start)) to \(TimeText.clock($0.end))" }),
            ("Seeking", seekable == true ? nil : "not possible"),
            ("Title", metadata?.title), ("Artist", metadata?.artist), ("Album", metadata?.album),
        ]
        rows += video.map { track in
            let size = track.height > 0 ? "\(track.width)x\(track.height)" : nil
            return ("Video", list(size, track.codec, track.frameRate.map { "\(frames($0)) frames/s" }))
        }
        rows += audio.map { ("Audio", list(named($0.name, $0.lang), $0.codec)) }
        rows += subtitles.map { ("Subtitles", list(named($0.name, $0.lang), $0.codec)) }
        rows += qualities.map { ("Quality", list("\($0.width)x\($0.height)", "\(Int($0.bitRate / 1000)) kbit/s")) }
        rows += (metadata?.chapters ?? []).map { ("Chapter", "\(TimeText.clock($0.start))  \($0.title)") }
        let lines = rows.compactMap { row in
            row.value.map { "  \(row.name.padding(toLength: 9, withPad: " ", startingAt: 0))  \(printable($0))\n" }
        }
        return "\(printable(file))\n\(lines.joined())"
    }

    /// The text of strangers, without control characters.
    private func printable(_ text: String) -> String { text.cut(toTerminalColumns: 1000) }

    private func named(_ name: String, _ language: String?) -> String {
        language.map { name == $0 ? name : "\(name) [\($0)]" } ?? name
    }

    /// At most two decimals: `25`, `29.97`.
    private func frames(_ rate: Double) -> String { "\((rate * 100).rounded() / 100)".replacing(/\.0$/, with: "") }

    private func list(_ parts: String?...) -> String { parts.compactMap { $0 }.joined(separator: ", ") }
}
