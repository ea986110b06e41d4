import Foundation

/// Reads configs from files, for hosts without a network. It needs no access token.
///
/// Addresses without a scheme are paths. Relative paths start at the client's folder, or at the folder of its file.
public struct DirectoryOVPClient: OVPClient {
    private let url: URL
    private let isFile: Bool

    /// Creates a client for a folder with one file for each item.
    ///
    /// - Parameter directory: the folder. The file of an item is `<playerId>/<mediaId>.json`, or `<mediaId>.json` for all other players.
    ///   Ids that are not valid file names are not found.
    public init(directory: URL) {
        url = directory
        isFile = false
    }

    /// Creates a client for one file.
    ///
    /// - Parameter file: a file with one config for all items, or with an object of configs by item id. An object with a `src` is one config.
    public init(file: URL) {
        url = file
        isFile = true
    }

    /// Reads the config of an item. Throws `notFound` or `invalidConfig`.
    @concurrent public func config(for request: OVPRequest) async throws(OVPError) -> OVPConfig {
        guard isFile else {
            return try OVPConfig.read(OVPConfig.self, from: Self.contents(of: file(for: request))).playable(at: url)
        }
        let data = try Self.contents(of: url)
        let folder = url.deletingLastPathComponent()
        let entries = try OVPConfig.read([String: Entry?].self, from: data)
        guard !entries.keys.contains("src") else {
            return try OVPConfig.read(OVPConfig.self, from: data).playable(at: folder)
        }
        guard let entry = entries[request.mediaId] ?? nil else { throw .notFound }
        return try entry.config.get().playable(at: folder)
    }

    private func file(for request: OVPRequest) throws(OVPError) -> URL {
        let ids = [request.playerId, request.mediaId]
        guard ids.allSatisfy(\.isFileName) else { throw .notFound }
        let name = request.mediaId + ".json"
        let own = url.appending(components: request.playerId, name)
        return FileManager.default.fileExists(atPath: own.path) ? own : url.appending(component: name)
    }

    private static func contents(of file: URL) throws(OVPError) -> Data {
        let file = file.resolvingSymlinksInPath()
        guard file.isFileURL, FileManager.default.fileExists(atPath: file.path) else { throw .notFound }
        // A named pipe would block for ever.
        let values = try? file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
        guard values?.isRegularFile == true, values?.fileSize ?? 0 <= OVPConfig.byteLimit else {
            throw values?.isRegularFile == true
                ? OVPConfig.tooLong : .invalidConfig(reason: "\(file.lastPathComponent) is not a file.")
        }
        do { return try Data(contentsOf: file) } catch {
            throw .invalidConfig(reason: "No permission to read \(file.lastPathComponent).")
        }
    }
}

/// One of several configs in a file. Its error matters only if it is requested.
private struct Entry: Decodable {
    let config: Result<OVPConfig, OVPError>

    init(from decoder: any Decoder) {
        config = Result { try OVPConfig(from: decoder) }.mapError { OVPError($0) }
    }
}

extension String {
    /// `true` for a valid file name that does not refer to another folder.
    fileprivate var isFileName: Bool {
        !["", ".", ".."].contains(self) && !contains { $0 == "/" || $0 == "\0" }
    }
}
