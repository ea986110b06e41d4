import Advertising
import ArgumentParser
import FlowplayerIsolation
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import PlayerControls
import ResumePositions
import TerminalLifecycle

#if GStreamer
import GStreamerBackend
#endif
#if VLC
import VLCBackend
#endif

/// The options of `flowplay`.
struct Options: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "flowplay",
        abstract: "Plays media files and streams in order.",
        usage: "flowplay [options] <file-or-URL>...",
        discussion: """
            Each argument is a file, a folder, a playlist (M3U, PLS, XSPF) or an address.
            An existing file has priority over an address of the same name.
            flowplay probe prints what files contain, and flowplay check-log checks event
            logs: see flowplay probe --help and flowplay check-log --help.

            EXAMPLES
              flowplay clip.mp4                      play a file
              flowplay *.flac                        play several files without gaps
              flowplay --shuffle --repeat all album  repeat a folder in random order
              flowplay --crossfade 4 party.m3u       play a playlist with crossfades
              flowplay http://host/live.m3u8         play a stream
              flowplay --start 1:30 --rate 1.5 talk.mp3
              flowplay --resume-position film.mp4    start where the film was left
              flowplay --subtitles film.de.srt film.mp4
              flowplay --header 'Authorization: Bearer abc' https://host/film.m3u8
              flowplay --view terminal film.mp4      show the video in the terminal
              flowplay --background audio *.flac &   play in the background
              flowplay --renew 'sign "$FLOWPLAY_URL"' https://host/film?token=1
              playerctl -p flowplay next             control it over MPRIS
              flowplay --ads http://ads.example/vmap film.mp4
                                                     play it with advertisements
              flowplay --json clip.mp4 | jq .event   print events as JSON Lines
              flowplay probe *.mkv                   print streams, durations and chapters
              flowplay ./-odd-name.mp4               play a file whose name starts with -
              cat film.mp4 | flowplay -              play standard input

            KEYS (in a terminal)
            \(KeyMap.flowplayLines.joined(separator: "\n"))

            OUTPUT
              In a terminal: one status line. Otherwise: one line for each change of
              state, with the state, the position and the name, separated by tabs.
              Messages are printed on standard error.

            VIEWS
              gtk       a window of GTK with controls: ? lists its keys, q quits.
                        The default if there is a display, and flowplay is built with
                        the trait GTK
              window    the engine's own window. The default of other builds
              terminal  the terminal, if it has 256 colours
              none      no video
              Without a display no window opens, and the audio plays. Items without video
              open none either. The program ends when its window is closed.

            ENGINES
              --engine auto plays each item with the first engine that claims it. If the
              engine cannot play the format, another one tries. --engines lists them.

            BACKGROUND
              In the background of the shell (Ctrl-Z, bg, &) playback pauses, and stays
              paused after fg. --background and --resume change that. With audio or video
              playback also continues when the terminal is closed.

            STANDARD INPUT
              - is read to its end, up to 4 GB, into a file without a name in $TMPDIR.
              Then it plays, and seeks work. Keys do not work, since standard input has
              the item, and --resume-position keeps nothing. flowplay /dev/stdin plays a
              pipe while it arrives, without seeks.

            CONFIGURATION
              $XDG_CONFIG_HOME/flowplay/config, or ~/.config/flowplay/config, has one
              option a line, with the names of the command line: volume = 50,
              alang = de,en, mute. A comment starts with #. The command line has
              priority. It cannot remove a flag of the file, except with --no-config.

            POSITIONS
              --resume-position keeps the position of each item in
              $XDG_STATE_HOME/swift-flowplayer/positions, or in
              ~/.local/state/swift-flowplayer/positions, for 90 days. Remove the folder to
              forget them. Items that have played to their end start at their beginning.
              Live streams are not kept.

            EXIT STATUS
              0         all items ended, or playback was ended by q or --stop-after
              2         wrong usage
              3         an item, a playlist or an output failed
              130, 143  ended by SIGINT, SIGTERM
            """,
        version: "flowplay \(Flowplayer.versionNumber)", subcommands: [Probe.self, CheckLog.self])

    @Argument(
        help: ArgumentHelp(
            "Files, playlists, folders and addresses to play; - is standard input.", valueName: "file-or-URL"),
        completion: .file(),
        transform: MediaArgument.orStandardInput)
    var media: [MediaArgument] = []

    @Option(
        help: ArgumentHelp("Write an event log to a file, or to standard output with -.", valueName: "file"),
        completion: .file())
    var log: String?

    @Flag(help: "Print events as JSON Lines instead of the status line.")
    var json = false

    @Flag(help: "Print a summary of the events at the end.")
    var summary = false

    @Flag(help: "Print statistics of each item at the end.")
    var stats = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start each item at 90, 1:30, 50%, or -10: 10 s before its end.", valueName: "position"),
        transform: { argument in
            guard let position = WrittenPosition(argument) else {
                throw ValidationError(
                    "--start takes seconds (90), a time (1:30 or 1:02:03), a percentage (50%), or a time before the end (-10)."
                )
            }
            return position
        })
    var start: WrittenPosition?

    @Flag(help: "Keep positions, and start each item where it was left. --start has priority.")
    var resumePosition = false

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Quit this many seconds after playback starts.", valueName: "s"))
    var stopAfter: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Volume in percent.", valueName: "0-100"))
    var volume: Double = 100

    @Flag(help: "Start muted.")
    var mute = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Playback rate from 0.25 to 4.", valueName: "r"))
    var rate: Double = 1

    @Option(name: .customLong("repeat"), help: "Repeat all items, the current item (one), or none (off).")
    var repeatMode: PlaybackQueue.RepeatMode = .off

    @Flag(help: "Play in random order. A number, as in --shuffle 7, gives the same order each time.")
    var shuffle = false

    @Option(help: .hidden)
    var shuffleSeed: UInt64?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Crossfade between items, in seconds from 0 to 30.", valueName: "s")
    )
    var crossfade: Double = 0

    @Option(
        help: ArgumentHelp(
            "Add SRT or WebVTT subtitles to each item. May be repeated. Without video the terminal shows those of files.",
            valueName: "file-or-URL"),
        completion: .file(extensions: ["srt", "vtt"]),
        transform: { try MediaArgument($0) })
    var subtitles: [MediaArgument] = []

    @Option(
        help: ArgumentHelp("Send a header field to the servers of the arguments. May be repeated.", valueName: "field"),
        transform: { try HeaderArgument($0) })
    var header: [HeaderArgument] = []

    @Option(
        help: ArgumentHelp("Audio languages to prefer, as in de,en.", valueName: "languages"),
        transform: Self.languages)
    var alang: [String]?

    @Option(
        help: ArgumentHelp("Subtitle languages to show, as in de,en.", valueName: "languages"),
        transform: Self.languages)
    var slang: [String]?

    @Flag(help: "Read the sub-folders of folders too.")
    var recursive = false

    @Option(help: ArgumentHelp("Send this User-Agent to the servers of the arguments.", valueName: "text"))
    var userAgent: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Skip stream variants above this bit rate.", valueName: "kbit/s"))
    var maxBitRate: Double?

    @Option(help: ArgumentHelp("Action in the background. audio and video continue; stop quits.", valueName: "action"))
    var background: BackgroundChoice = .pause

    @Flag(help: "Resume automatically when the foreground returns.")
    var resume = false

    @Option(
        help: ArgumentHelp(
            "Simulate background changes after playback starts, as in \"2s hidden; 3s foreground\".",
            valueName: "script"),
        transform: { try LifecycleScript($0) })
    var lifecycle: LifecycleScript?

    @Option(
        help: ArgumentHelp("Play the advertisements of a VAST or VMAP document with each item.", valueName: "URL"),
        transform: { argument in
            let url = try MediaArgument.address(argument)
            guard ["http", "https"].contains(url.scheme?.lowercased()) else {
                throw ValidationError("--ads takes an address. --ad-schedule takes a file.")
            }
            return url
        })
    var ads: URL?

    @Option(
        help: ArgumentHelp("Play the advertisements of a VAST or VMAP file with each item.", valueName: "file"),
        completion: .file(extensions: ["xml", "vmap", "vast"]))
    var adSchedule: String?

    @Flag(help: "Follow the breaks inside streams, and play a break before what is behind it.")
    var streamAds = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Longest time for which an item waits for advertisements.", valueName: "s"))
    var adTimeout: Double = 5

    @Flag(name: .customLong("no-video"), help: "Disable video.")
    var noVideo = false

    @Option(help: "Audio output.")
    var audio: AudioOutput = .auto

    @Option(help: "Role of the audio. The audio server decides by it who is interrupted.")
    var role: AudioRole?

    @Option(help: ArgumentHelp("Command that prints the new address of an expired one.", valueName: "command"))
    var renew: String?

    @Flag(help: "Fill the screen. Needs the view gtk.")
    var fullscreen = false

    @Option(help: "Where to show the video. Default: gtk if it is built in, else window; none without a display.")
    var view: ViewChoice?

    static let engineHelp = ArgumentHelp(
        "Engine to use, or auto. Default: the one that FLOWPLAYER_ENGINE_NAME names, else vlc.", valueName: "name")

    @Option(help: engineHelp)
    var engine: String?

    @Flag(
        help: """
            Run libVLC, or with --engine gstreamer GStreamer, in a separate process, whose crash does not end playback.
            """)
    var isolate = false

    @Flag(help: "List the engines, what each plays, and what adds more, and exit.")
    var engines = false

    @Flag(name: .customLong("no-mpris"), help: "Disable MPRIS (desktop media controls).")
    var noMPRIS = false

    @Flag(help: "Print errors only.")
    var quiet = false

    // `ConfigFile` reads both before the parser does.
    @Option(
        help: ArgumentHelp("Read options from a file instead of ~/.config/flowplay/config.", valueName: "file"),
        completion: .file())
    var config: String?

    @Flag(name: .customLong("no-config"), help: "Read no file with options.")
    var noConfig = false

    enum BackgroundChoice: String, ExpressibleByArgument, CaseIterable {
        case pause, audio, video, stop

        var policy: BackgroundPolicy {
            switch self {
            case .pause: .pause
            case .audio: .continueAudio
            case .video: .continueVideo
            case .stop: .stop
            }
        }
    }

    enum ViewChoice: String, ExpressibleByArgument, CaseIterable {
        case terminal, window, gtk, none
    }

    /// The address of the advertisements.
    var adAddress: URL? { ads ?? adSchedule.map { URL(filePath: $0) } }

    /// Half of the time is for each document.
    var adOptions: AdOptions {
        var options = AdOptions()
        (options.timeout, options.documentTimeout) = (.seconds(adTimeout), .seconds(adTimeout / 2))
        return options
    }

    /// `true` unless the user has turned the video off.
    var showsVideo: Bool { !noVideo && view != ViewChoice.none }

    /// The view that the user has chosen, or the best one. The engine's window opens only if there is a display.
    @MainActor
    var shownView: ViewChoice { showsVideo ? view ?? (Window.isAvailable ? .gtk : .window) : .none }

    @MainActor
    var opensWindow: Bool { !engines && shownView == .gtk && Window.isAvailable }

    /// Returns the languages of a list such as `de,en`.
    private static func languages(_ list: String) -> [String] {
        list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    func validate() throws {
        func check(_ holds: Bool, _ message: String) throws {
            if !holds { throw ValidationError(message) }
        }
        try check(engines || !media.isEmpty, "Name at least one file or address to play.")
        let inputs = media.filter { $0 == .standardInput }.count
        try check(inputs < 2, "Standard input can be played once. Name - once.")
        try check(
            inputs == 0 || isatty(0) == 0,
            "Standard input is a terminal. Let a program write to it, as in: cat film.mp4 | flowplay -")
        try check(
            inputs == 0 || !isolate,
            "The engine's process cannot read standard input. Leave out --isolate, or name a file.")
        for file in subtitles where file.url.isFileURL {
            let path = file.url.path(percentEncoded: false)
            try check(
                FileManager.default.fileExists(atPath: path),
                "There is no file \(path). --subtitles takes a file or an address.")
        }
        try check(ads == nil || adSchedule == nil, "--ads and --ad-schedule exclude each other. Use one of them.")
        try check(
            adAddress == nil || !streamAds, "With --ads or --ad-schedule, the breaks of the stream are not followed.")
        if let adSchedule {
            try check(
                FileManager.default.fileExists(atPath: adSchedule),
                "There is no file \(adSchedule). --ad-schedule takes a file, --ads an address.")
        }
        try check(
            adTimeout > 0 && adTimeout <= 3600, "--ad-timeout takes a number of seconds above 0. The longest is 3600.")
        try check(
            stopAfter.map { (0...1e9).contains($0) } ?? true,
            "--stop-after takes a number of seconds from 0 to 1000000000.")
        try check(
            userAgent?.contains(where: \.isNewline) != true, "--user-agent takes one line. Remove the line break.")
        try check((0...100).contains(volume), "--volume takes a number from 0 to 100.")
        try check((0...30).contains(crossfade), "--crossfade takes a number of seconds from 0 to 30.")
        try check(maxBitRate.map { $0.isFinite && $0 > 0 } ?? true, "--max-bit-rate takes a number above 0, in kbit/s.")
        try check((0.25...4).contains(rate), "--rate takes a number from 0.25 to 4.")
        try check(
            !(noVideo && view == .terminal), "--no-video and --view terminal exclude each other. Use one of them.")
        try check(
            !fullscreen || (showsVideo && view ?? .gtk == .gtk),
            "--fullscreen needs the window of GTK. Leave out \(noVideo ? "--no-video" : "--view").")
        #if !GTK
        try check(
            view != .gtk && !fullscreen,
            "This flowplay was built without GTK. Build it with the trait GTK, or use --view window or --view terminal."
        )
        #endif
        let writesEvents = json || log == "-"
        try check(
            !(writesEvents && view == .terminal),
            "--view terminal and the events both write to standard output. Use --log with a file.")
        try check(
            !isolate || ["vlc", "gstreamer"].contains(engine ?? "vlc"),
            "--isolate is for the engines vlc and gstreamer. Leave out --engine.")
        try check(!(json && log == "-"), "--json and --log - both write to standard output. Use one of them.")
    }

    @MainActor
    func run() async throws -> ExitCode {
        let registry = registerBackends()
        if engines {
            Messages.write(EngineList(registry: registry).text, to: 1)
            return .success
        }
        let isolated: BackendName = engine == "gstreamer" ? .isolatedGStreamer : .isolated
        let name = isolate ? isolated : engine.map(BackendName.named) ?? registry.defaultName()
        guard registry.names.contains(name) else {
            let user = engine == nil ? BackendRegistry.namedByUser : nil
            throw ValidationError(registry.reason(forMissing: name, named: user))
        }
        if shownView == .gtk, !Window.isAvailable {
            throw ValidationError(
                "There is no display. Set WAYLAND_DISPLAY or DISPLAY, or use --view terminal or --view none.")
        }
        let positions =
            resumePosition && !media.contains(.standardInput) ? ResumeStore { Messages.print($0.description) } : nil
        return try await Host(
            options: self, backend: name, program: await Program(self, positions), positions: positions
        ).run()
    }

    @MainActor
    private func registerBackends() -> BackendRegistry {
        let registry = BackendRegistry.withBuiltIn
        registry.register(
            BackendDescriptor(
                name: "simulated", summary: "simulates an item of 10 seconds, for tests without media",
                schemes: ["file", "http", "https"], isAutomatic: false
            ) { SimulatedBackend() })
        #if GStreamer
        let gstreamer = LibGStreamerBackend.descriptor(audioOutput: audio)
        registry.register(gstreamer)
        registry.register(
            IsolatedBackend.descriptor(
                of: gstreamer, capabilities: LibGStreamerBackend.installedCapabilities,
                options: ["audio": audio.rawValue]))
        #endif
        #if VLC
        let vlc = LibVLCBackend.descriptor(audioOutput: audio)
        registry.register(IsolatedBackend.descriptor(schemes: vlc.schemes, options: ["audio": audio.rawValue]))
        registry.register(vlc)
        #endif
        return registry
    }
}

extension AudioOutput: ExpressibleByArgument {}

extension PlaybackQueue.RepeatMode: ExpressibleByArgument {}

extension AudioRole: ExpressibleByArgument {
    public init?(argument: String) {
        guard let role = Self.all.first(where: { $0.rawValue == argument }) else { return nil }
        self = role
    }

    public static var allValueStrings: [String] { all.map(\.rawValue) }
}
