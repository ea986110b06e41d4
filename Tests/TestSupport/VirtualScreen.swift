import Foundation

/// An X server without a screen.
public final class VirtualScreen: Sendable {
    /// The value of `DISPLAY` for its clients.
    public let display: String
    private let server: RunningCommand
    /// Keeps the server while no program has a window. The server ends with its last connection, because Xlib, which GStreamer uses, ends a
    /// process that loses its server.
    private let connection: FileHandle
    /// Holds the screen as a file, which the server maps into its memory.
    private let folder: URL

    public init(width: Int = 640, height: Int = 480) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "flowplayer-xvfb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "display").path()
        // The server writes the number of a display that is free.
        let options = "-screen 0 \(width)x\(height)x24 -nolisten tcp -nocursor -fbdir '\(folder.path())'"
        server = try await Command("sh", ["-c", "exec Xvfb -terminate -displayfd 3 \(options) 3>'\(file)'"]).start()
        let number = {
            (try? String(contentsOfFile: file, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        }
        let isUp = await eventually { !number().isEmpty }
        display = ":" + number()
        guard isUp, let connection = Self.connect(to: "/tmp/.X11-unix/X" + number()) else {
            server.signal(SIGTERM)
            let problem = isUp ? "refuses a connection" : "does not start"
            throw FixtureError(description: "Xvfb \(problem): \(try await server.result.errors)")
        }
        self.connection = connection
    }

    /// Connects to an abstract socket, which has no file. A server that ends may remove the file of the next one with the same number.
    private static func connect(to name: String) -> FileHandle? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = [0] + Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + name.count
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(length)) == 0
            }
        }
        let connection = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard isConnected else { return nil }
        // The greeting of a client: little-endian numbers, version 11, no password.
        try? connection.write(contentsOf: Data([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
        return try? connection.read(upToCount: 1) == Data([1]) ? connection : nil
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends the server at once, as a crash would.
    public func crash() { server.signal(SIGKILL) }

    /// The colour in a place, as red, green and blue in `0...255`.
    public func pixel(x: Int, y: Int) throws -> [UInt8] { try pixels(x: x, y: y, width: 1, height: 1)[0] }

    /// The colours in a rectangle, row by row, as red, green and blue in `0...255`. The server shows no pointer.
    ///
    /// - Parameter step: the distance of the pixels in both directions. A test that reads all pixels of a window computes for seconds, and
    ///   keeps a thread from all other tests.
    public func pixels(x: Int, y: Int, width: Int, height: Int, step: Int = 1) throws -> [[UInt8]] {
        // The format is that of `xwd`: a header of big-endian numbers, a table of colours, and rows of pixels of four bytes.
        let file = try Data(contentsOf: folder.appending(path: "Xvfb_screen0"), options: .alwaysMapped)
        func number(_ index: Int) -> Int { file[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (screenWidth, screenHeight, bytesPerRow) = (number(4), number(5), number(12))
        guard x >= 0, y >= 0, x + width <= screenWidth, y + height <= screenHeight else {
            throw FixtureError(description: "\(x), \(y) is not on the screen")
        }
        let start = number(0) + number(19) * 12
        return stride(from: y, to: y + height, by: step).flatMap { row in
            stride(from: x, to: x + width, by: step).map { column in
                let pixel = start + row * bytesPerRow + column * 4
                return [file[pixel + 2], file[pixel + 1], file[pixel]]
            }
        }
    }
}
