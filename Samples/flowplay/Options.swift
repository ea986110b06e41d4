import ArgumentParser
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TerminalLifecycle

/// The command line.
struct Options: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "flowplay",
        abstract: "Plays media files and streams, one after another.",
        usage: "flowplay [options] <file-or-URL>...",
        discussion: """
            An argument is a path if there is such a file, else an address if it has a scheme.
            flowplay check-log checks event logs: see flowplay check-log --help. It is a command only as the first
            argument, and only if there is no file of that name.

            EXAMPLES
              flowplay clip.mp4                     play a file
              flowplay *.flac                       play several, one after another and without a gap
              flowplay --shuffle --repeat all ~/Music/album
                                                    play a folder, for ever, in a random order
              flowplay --crossfade 4 party.m3u      play a playlist (M3U, PLS, XSPF), each fading into the next
              flowplay http://host/live.m3u8        play a stream
              flowplay --start 90 --rate 1.5 talk.mp3
              flowplay --subtitles film.de.srt film.mp4
              flowplay --background audio film.mp4  let the sound go on after Ctrl-Z
              flowplay --background audio *.flac &  play behind the shell
              flowplay --lifecycle "2s hidden; 3s foreground" --background audio film.mp4
                                                    see what becomes of playback that nobody looks at
              flowplay --role music *.flac          give way to calls, and go on after them
              flowplay --renew 'sign "$FLOWPLAY_URL"' https://host/film?token=1
                                                    go on with a new address when that one has expired
              playerctl -p flowplay next            control it from elsewhere, over MPRIS
              flowplay --json clip.mp4 | jq .event  print what happens, as JSON Lines
              flowplay check-log events.jsonl       check such a log for breaches of the event contract
              flowplay -- -odd-name.mp4             play a file whose name begins with -

            KEYS (on a terminal)
              space  pause and play      left, right  5 s back and on
              m      sound off and on    up, down     louder, softer
              0      from the start      [ ]          slower, faster
              a      the next sound      s            the next subtitles, or none
              n      the next medium     p            the one before, or this from its start
              q      quit                Ctrl-Z       to the background; fg comes back

            BACKGROUND
              Behind the shell (Ctrl-Z, bg, &) playback pauses unless --background says otherwise, and stays paused after fg
              unless --resume is given. With audio or video it goes on while the shell has its prompt, and also when the
              terminal is closed.

            OTHER SOUND
              Where the sound server says that something more important sounds (PulseAudio does for calls), playback pauses and
              goes on afterwards, unless it was paused meanwhile. space plays all the same. If the device is unplugged,
              playback pauses and stays paused.

            EXIT STATUS
              0 all was played to its end, or playback was ended by q or --stop-after
              2 wrong usage    3 a medium or a playlist failed    130, 143 ended by SIGINT, SIGTERM
            """,
        version: "flowplay \(FlowplayerVersion.current)")

    @Argument(help: ArgumentHelp("What to play: media, playlists and folders.", valueName: "file-or-URL"))
    var media: [String] = []

    @Option(help: ArgumentHelp("Write the event log to a file, or to standard output for -.", valueName: "file"))
    var log: String?

    @Flag(help: "Print events as JSON Lines on standard output, and nothing else there.")
    var json = false

    @Flag(help: "Print a summary of the events on standard error at the end.")
    var summary = false

    @Option(help: ArgumentHelp("Begin so many seconds into each medium.", valueName: "s"))
    var start: Double = 0

    @Option(help: ArgumentHelp("Stop so many seconds after playback first began.", valueName: "s"))
    var stopAfter: Double?

    @Option(help: ArgumentHelp("How loud to play.", valueName: "0-100"))
    var volume: Double = 100

    @Flag(help: "Begin with the sound off.")
    var mute = false

    @Option(help: ArgumentHelp("How fast to play: 1 is normal, 0.25 to 4 is possible.", valueName: "r"))
    var rate: Double = 1

    @Option(
        name: .customLong("repeat"),
        help: "After the last one: off ends, all begins again, one plays each again and again.")
    var repeatMode: PlaybackQueue.RepeatMode = .off

    @Flag(
        help: ArgumentHelp(
            "Play in a random order. A number after it, as in --shuffle 7, makes it the same order each time.",
            valueName: "seed"))
    var shuffle = false

    @Option(help: .hidden)
    var shuffleSeed: UInt64?

    @Option(help: ArgumentHelp("Let each fade into the next, for so many seconds.", valueName: "s"))
    var crossfade: Double = 0

    @Option(
        help: ArgumentHelp(
            "Subtitles beside each medium, in SRT or WebVTT; may be given again. The first are shown.",
            valueName: "file-or-URL"))
    var subtitles: [String] = []

    @Option(help: ArgumentHelp("Of a stream's variants, choose none that needs more.", valueName: "kbit/s"))
    var maxBitRate: Double?

    @Option(
        help: ArgumentHelp(
            "In the background: pause, go on with sound alone (audio), with picture and sound (video), or stop and end.",
            valueName: "action"))
    var background: BackgroundChoice = .pause

    @Flag(help: "Go on by itself in the foreground if the background has paused.")
    var resume = false

    @Option(
        help: ArgumentHelp(
            "Go to the background and back by a plan that starts when playback first began, as in \"2s hidden; 3s foreground\".",
            valueName: "script"),
        transform: { try LifecycleScript($0) })
    var lifecycle: LifecycleScript?

    @Flag(name: .customLong("no-video"), help: "Play sound only.")
    var noVideo = false

    @Option(help: "Where sound goes: auto, none, pulse or alsa.")
    var audio: AudioChoice = .auto

    @Option(
        help: ArgumentHelp(
            "What the sound is for: \(roleNames). The sound server lets one give way to another by this.",
            valueName: "role"),
        transform: { name in
            guard let role = AudioRole.all.first(where: { $0.rawValue == name }) else {
                throw ValidationError("--role takes one of \(roleNames).")
            }
            return role
        })
    var role: AudioRole?

    private static let roleNames = AudioRole.all.map(\.rawValue).joined(separator: ", ")

    @Option(
        help: ArgumentHelp(
            "A shell command that prints a new address when a server refuses the old one, FLOWPLAY_URL.",
            valueName: "command"))
    var renew: String?

    @Option(help: ArgumentHelp("The engine to play with.", valueName: "name"))
    var backend: String?

    @Flag(help: "Print the engines that there are, and end.")
    var listBackends = false

    @Flag(name: .customLong("no-mpris"), help: "Let nobody on the desktop see or control what plays.")
    var noMPRIS = false

    @Flag(help: "Tell of failures only.")
    var quiet = false

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

    enum AudioChoice: String, ExpressibleByArgument, CaseIterable {
        case auto, none, pulse, alsa
    }

    func validate() throws {
        func check(_ holds: Bool, _ message: String) throws {
            if !holds { throw ValidationError(message) }
        }
        try check(listBackends || !media.isEmpty, "Name at least one file or address to play.")
        try check(!media.contains(""), "An argument is empty: name a file or an address.")
        try check(start.isFinite && start >= 0, "--start takes seconds from 0 on.")
        try check(stopAfter.map { $0.isFinite && $0 >= 0 } ?? true, "--stop-after takes seconds from 0 on.")
        try check((0...100).contains(volume), "--volume takes a number from 0 to 100.")
        try check((0...30).contains(crossfade), "--crossfade takes seconds from 0 to 30.")
        try check(maxBitRate.map { $0.isFinite && $0 > 0 } ?? true, "--max-bit-rate takes kbit/s, more than 0.")
        try check(!subtitles.contains(""), "--subtitles needs a file or an address.")
        try check((0.25...4).contains(rate), "--rate takes a number from 0.25 to 4.")
        try check(!(json && log == "-"), "--json and --log - both write to standard output: give one of them.")
    }

    @MainActor
    func run() async throws -> ExitStatus {
        let registry = registerBackends()
        if listBackends {
            for descriptor in registry.descriptors.reversed() {
                Messages.write("\(descriptor.name.rawValue)\t\(descriptor.summary)\n", to: 1)
            }
            return .success
        }
        let arguments = try media.map { try MediaArgument($0) }
        // Never the simulated one unasked: people would wait for a picture.
        let name = BackendName(rawValue: backend ?? "vlc")
        let names = registry.descriptors.reversed().map(\.name.rawValue)
        guard names.contains(name.rawValue) else {
            throw ValidationError(
                "There is no backend \(name.rawValue). There is: \(names.joined(separator: ", ")). Choose it with --backend."
            )
        }
        let program = await Program(arguments, isQuiet: quiet)
        return try await Host(options: self, backend: name, program: program).run()
    }

    @MainActor
    private func registerBackends() -> BackendRegistry {
        let registry = BackendRegistry.shared
        registry.register(
            BackendDescriptor(
                name: "simulated", summary: "plays nothing, for 10 seconds: for trials without an engine",
                schemes: ["file", "http", "https"]
            ) { SimulatedBackend() })
        #if VLC
        registry.register(VLCBackend.descriptor(audioOutput: AudioOutput(rawValue: audio.rawValue) ?? .auto))
        #endif
        return registry
    }
}

extension PlaybackQueue.RepeatMode: ExpressibleByArgument {}
