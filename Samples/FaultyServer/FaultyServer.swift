import ArgumentParser
import FlowplayerFaults
import Foundation

/// `faulty-server` serves media with faults, for manual tests of players.
@main
struct FaultyServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faulty-server",
        abstract: "Serves media with network and server faults, to this machine only.",
        usage: "faulty-server [--port <n>] [--list] [<folder-or-file>]",
        discussion: """
            Prints an address for each fault, then each request and its response. Serves
            until Ctrl-C.

            ADDRESSES
              http://127.0.0.1:8080/<fault>/<file>
                                    --list shows the faults; you can change their numbers
              .../status=503@1/clip.mp4
                                    the first request only; @2- from the second request,
                                    @1-3 the first three
              .../redirect-to-file@ranged/clip.mp4
                                    range requests only
              .../late=2@segment3/hls/clip.m3u8
                                    the third segment only; also @segments, @playlists,
                                    @variant2
              .../drip=20000+no-ranges/clip.mp4
                                    several faults at once
              HTTPS and refused connections have their own ports, which are printed.

            EXAMPLES
              faulty-server                        serve the sample clip
              faulty-server --port 0 ~/Videos      serve a folder, on a free port
              faulty-server --list                 print the faults and exit
              flowplay http://127.0.0.1:8080/reset-mid-body@1/sample.mp4

            EXIT STATUS
              0  ended by Ctrl-C or SIGTERM
              2  wrong usage, nothing to serve, or the port is in use
            """)

    @Argument(help: ArgumentHelp("The folder or file to serve. Default: the sample clip.", valueName: "folder-or-file"))
    var media: String?

    @Option(help: ArgumentHelp("The port to listen on; 0 selects a free one.", valueName: "n"))
    var port = 8080

    @Flag(help: "Print the faults and exit.")
    var list = false

    /// The sample clip, in a folder beside this source.
    private static let sample = URL(filePath: #filePath).appending(path: "../../Media/sample.mp4").standardized

    func validate() throws {
        if media == "" { throw ValidationError("The argument is empty. Name a folder or a file.") }
        if !(0...65535).contains(port) { throw ValidationError("--port takes a number from 0 to 65535.") }
    }

    func run() async throws {
        if list {
            Self.write(Self.table(FaultCatalogue.entries.map { ($0.plan.description, $0.summary) }))
            return
        }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            signal(number) { _ in _exit(0) }
        }
        let server = try await start()
        Self.write(Self.addresses(of: server))
        for await request in server.requestUpdates { Self.write(Self.line(request) + "\n") }
        await server.stop()
    }

    /// Writes without a buffer, and ignores a closed pipe.
    private static func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

    /// Runs the command. The exit status for wrong usage is 2, as in `flowplay`.
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        do {
            try await parse().run()
        } catch {
            let isUsage = exitCode(for: error) != .success
            FileHandle(fileDescriptor: isUsage ? 2 : 1).write(Data("\(fullMessage(for: error))\n".utf8))
            Foundation.exit(isUsage ? 2 : 0)
        }
    }

    private func start() async throws -> FaultServer {
        let url = media.map { URL(filePath: $0) } ?? Self.sample
        do {
            let server = try await FaultServer.start(serving: url, port: port)
            if server.paths.isEmpty { throw ValidationError("There is no file in \(url.path()).") }
            return server
        } catch is CocoaError {
            throw ValidationError("\(url.path(percentEncoded: false)) does not exist. Name a folder or a file.")
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
        let hls = playlist == nil ? " Without an HLS playlist, the HLS faults are not listed." : ""
        return table(rows) + "Serving \(files).\(hls) Ctrl-C ends it.\n"
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { $0.padding(toLength: width, withPad: " ", startingAt: 0) + "  \($1)\n" }.joined()
    }

    /// Returns the line for a new request or for the end of its response.
    private static func line(_ request: FaultServerRequest) -> String {
        guard request.ending != .open else {
            let faults = request.faults.map(\.description).joined(separator: " ")
            let words = ["\(request.id)", request.method, request.path, request.range ?? "", faults]
            return words.filter { !$0.isEmpty }.joined(separator: " ")
        }
        let status = request.status.map { "\($0), \(request.bytesSent) bytes" } ?? "no response"
        return "\(request.id) \(status), \(request.ending.rawValue)"
    }
}
