import Foundation
import MediaTransport
import Playback
import Synchronization

/// The resources that an engine's process reaches itself. The host opens all others for it.
enum EngineAccess: Codable, Hashable, Sendable {
    /// None: neither files of the user nor servers.
    case none
    /// The files below a folder, which a local playlist names.
    case folder(String)
    /// Servers, because the engine itself reads streams of protocols such as RTMP.
    case network

    /// Determines the access of an item. A local file is read, and is no playlist if that takes too long.
    ///
    /// - Parameter timeout: in seconds.
    init(for item: PlayerItem, within timeout: Double) {
        guard item.url.isFileURL else {
            self = item.url.isHTTP ? .none : .network
            return
        }
        let folder = item.url.deletingLastPathComponent().path(percentEncoded: false)
        let isPlaylist = HostResources.run(within: timeout) { MediaProbe.isNeeded(for: item.url) }
        self = isPlaylist == true ? .folder(folder) : .none
    }
}

/// The files and servers that the host opens for an engine: those of its items.
struct AccessPolicy: Sendable {
    let items: [(item: PlayerItem, access: EngineAccess)]

    /// `true` for the file of an item, for its subtitle files, and for files below the folder of a local playlist.
    func allows(_ file: URL) -> Bool {
        let path = file.path(percentEncoded: false)
        return items.contains { item, access in
            if item.files.contains(where: { $0.path(percentEncoded: false) == path }) { return true }
            guard case .folder(let folder) = access else { return false }
            // The root folder would allow all files.
            return !folder.resolved.isEmpty && path.resolved.hasPrefix(folder.resolved + "/")
        }
    }

    /// `true` if an item is on a server, or is a local playlist, which may name servers. The engine's process checks each address by the
    /// item's security policy.
    var allowsServers: Bool {
        items.contains { item, access in
            access != .none || ([item.url] + item.subtitles.map(\.url)).contains { !$0.isFileURL }
        }
    }
}

extension PlayerItem {
    fileprivate var files: [URL] { ([url] + subtitles.map(\.url)).filter(\.isFileURL) }
}

extension String {
    /// The path without symbolic links and without a slash at its end.
    fileprivate var resolved: String {
        let path = URL(filePath: self).resolvingSymlinksInPath().path(percentEncoded: false)
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

/// Opens files and connections for an engine's process.
enum HostResources {
    /// The number of requests that a process may have open. An engine has a few.
    static let requestLimit = 32

    /// An engine reads the beginning of a file, and then opens it again.
    static let descriptorsPerItem = 2

    /// Opens a regular file for an item. Returns no descriptors for anything else, and if it takes too long.
    ///
    /// - Parameter timeout: in seconds.
    static func openRegularFile(_ path: String, within timeout: Double) -> [Int32] {
        let files = run(within: timeout) {
            (0..<descriptorsPerItem).map { _ in openRegularFile(path) }.filter { $0 >= 0 }
        } discard: { files in
            for file in files { close(file) }
        }
        return files ?? []
    }

    /// Runs work on another thread, because it may block for ever. A dead network mount never answers.
    ///
    /// - Parameters:
    ///   - timeout: in seconds.
    ///   - discard: called with a result that comes too late.
    /// - Returns: `nil` if the work takes too long.
    static func run<Value: Sendable>(
        within timeout: Double, _ work: @escaping @Sendable () -> Value,
        discard: @escaping @Sendable (Value) -> Void = { _ in }
    ) -> Value? {
        let isDone = DispatchSemaphore(value: 0)
        let state = Mutex<(value: Value?, isLate: Bool)>((nil, false))
        DispatchQueue.global(qos: .userInitiated).async {
            let value = work()
            let isLate = state.withLock { state in
                if !state.isLate { state.value = value }
                return state.isLate
            }
            if isLate { discard(value) }
            isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + timeout)
        return state.withLock { state in
            state.isLate = true
            return state.value
        }
    }

    /// Opens a regular file, without waiting for a pipe or a device. Returns -1 for anything else.
    private static func openRegularFile(_ path: String) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return -1 }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    /// Opens a file. Blocks for a pipe until another program writes to it.
    ///
    /// - Returns: a descriptor, or the negative number of an error.
    static func open(_ path: String, _ policy: AccessPolicy) -> Int32 {
        guard policy.allows(URL(filePath: path)) else { return -EACCES }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        return descriptor < 0 ? -errno : descriptor
    }

    /// Connects to a server. Blocks.
    static func connect(
        to server: Server, within seconds: Double, _ policy: AccessPolicy
    ) throws(ConnectionFailure) -> Int32 {
        guard policy.allowsServers else {
            throw ConnectionFailure(code: .addressForbidden, cause: "The item is a local file.")
        }
        return try server.connect(within: min(seconds, 600))
    }
}
