import ArgumentParser
import FlowplayerFaults
import Foundation

/// `flowplay faults`: a server that does what is wrong on purpose, to try players with by hand.
struct Faults: Subcommand {
    static let name = "faults"

    static let configuration = CommandConfiguration(
        commandName: "flowplay \(name)",
        abstract: "Serves media on this machine with everything that can go wrong on the way.",
        usage: "flowplay \(name) [--port <n>] [--list] [<folder-or-file>]",
        discussion: """
            Prints an address for each fault, and serves until Ctrl-C. What is asked for is told as it comes. Only programs on
            this machine can connect.

            ADDRESSES
              http://127.0.0.1:8080/<fault>/<file>  where --list shows the faults; their numbers may be others
              .../status=503@1/clip.mp4             only the first request; @2- all from the second on, @1-3 the first three
              .../redirect-to-file@ranged/clip.mp4  only requests for a part
              .../late=2@segment3/hls/clip.m3u8     only the third segment; also @segments, @playlists, @variant2
              .../drip=20000+no-ranges/clip.mp4     several faults at once
              HTTPS and refused connections have ports of their own, which are printed.

            If there is a file called \(name) here, it is played instead: rename it, or run this elsewhere.

            EXAMPLES
              flowplay \(name)                        serve the sample clip
              flowplay \(name) --port 0 ~/Videos      serve a folder, on a port that is free
              flowplay \(name) --list                 show the faults, and end
              flowplay http://127.0.0.1:8080/reset-mid-body@1/sample.mp4

            EXIT STATUS
              0 ended by Ctrl-C or SIGTERM    2 wrong usage, nothing to serve, or a port that is in use
            """)

    @Argument(help: ArgumentHelp("What to serve; the sample clip by default.", valueName: "folder-or-file"))
    var media: String?

    @Option(help: ArgumentHelp("Where to listen; 0 for a port that is free.", valueName: "n"))
    var port = 8080

    @Flag(help: "Print the faults, and end.")
    var list = false

    /// Beside this source, for those who have built it; else where the command is called.
    private static let sample = URL(filePath: #filePath).appending(path: "../../Media/sample.mp4").standardized

    func validate() throws {
        if media == "" { throw ValidationError("The argument is empty: name a folder or a file.") }
        if !(0...65535).contains(port) { throw ValidationError("--port takes a number from 0 to 65535.") }
    }

    @MainActor
    func run() async throws -> ExitStatus {
        if list {
            Messages.write(Self.table(FaultCatalogue.entries.map { ($0.plan.description, $0.summary) }), to: 1)
            return .success
        }
        let signals = AsyncStream<Void>.makeStream()
        let watch = Signals { signal in
            if case .end = signal { signals.continuation.finish() }
        }
        let server = try await start()
        Messages.write(Self.addresses(of: server), to: 1)
        let log = Task { for await request in server.requestUpdates { Messages.write(Self.line(request), to: 1) } }
        for await _ in signals.stream {}
        log.cancel()
        await server.stop()
        watch.cancel()
        return .success
    }

    private func start() async throws -> FaultServer {
        let url = media.map { URL(filePath: $0) } ?? Self.sample
        do {
            let server = try await FaultServer.start(serving: url, port: port)
            if server.paths.isEmpty { throw ValidationError("There is no file in \(url.path()).") }
            return server
        } catch is CocoaError {
            throw ValidationError("There is no \(url.path(percentEncoded: false)): name a folder or a file.")
        } catch let error as FaultServerError {
            throw ValidationError(error.description)
        }
    }

    private static func addresses(of server: FaultServer) -> String {
        let paths = server.paths
        let playlist = paths.first { $0.hasSuffix(".m3u8") }
        let clip = paths.first { !$0.hasSuffix(".m3u8") && !$0.hasSuffix(".ts") && !$0.hasSuffix(".m4s") } ?? paths[0]
        let rows = FaultCatalogue.entries.compactMap { entry -> (String, String)? in
            guard let path = entry.isForHLS ? playlist : clip else { return nil }
            return (server.url(for: path, plan: entry.plan).absoluteString, entry.summary)
        }
        let files = paths.count == 1 ? "1 file" : "\(paths.count) files"
        let hls = playlist == nil ? " There is no HLS playlist in it, so its faults are left out." : ""
        return table(rows) + "Serving \(files).\(hls) Ctrl-C ends it.\n"
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { $0.padding(toLength: width, withPad: " ", startingAt: 0) + "  \($1)\n" }.joined()
    }

    /// A line for a request that comes, and one for its end.
    private static func line(_ request: FaultServerRequest) -> String {
        guard request.ending != .open else {
            let faults = request.faults.map(\.description).joined(separator: " ")
            let words = ["\(request.id)", request.method, request.path, request.range ?? "", faults]
            return words.filter { !$0.isEmpty }.joined(separator: " ") + "\n"
        }
        let status = request.status.map { "\($0), \(request.bytesSent) bytes" } ?? "no answer"
        return "\(request.id) \(status), \(request.ending.rawValue)\n"
    }
}
