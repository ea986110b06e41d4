import Foundation

/// Reads configs from files, for hosts without a network. It needs no access token.
///
/// Addresses without a scheme are paths. Relative paths start at the client's folder, or at the folder of its file.
public struct DirectoryOVPClient: OVPClient {
    private enum Place {
        case directory
        case file
    }

    private let url: URL
    private let place: Place

    /// Creates a client for a folder with one file for each item.
    ///
    /// - Parameter directory: the folder. The file of an item is `<playerId>/<mediaId>.json`, or `<mediaId>.json` for all other players.
    ///   Ids that are not valid file names are not found.
    public init(directory: URL) {
        url = directory
        place = .directory
    }

    /// Creates a client for one file.
    ///
    /// - Parameter file: a file with one config for all items, or with an object of configs by item id. An object with a `src` is one config.
    public init(file: URL) {
        url = file
        place = .file
    }

    /// Reads the config of an item. Throws `notFound` or `invalidConfig`.
    @concurrent public func config(for request: OVPRequest) async throws(OVPError) -> OVPConfig {
        switch place {
        case .directory:
            let data = try Self.contents(of: file(for: request))
            return try OVPConfig.read(OVPConfig.self, from: data).playable(at: url)
        case .file:
            let decoder = JSONDecoder()
            decoder.userInfo[.mediaId] = request.mediaId
            let form = try OVPConfig.read(ConfigFile.self, from: Self.contents(of: url), decoder: decoder)
            guard let config = form.config else { throw .notFound }
            return try config.playable(at: url.deletingLastPathComponent())
        }
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

/// One config, or an object of configs by item id. Only the requested config is decoded.
private struct ConfigFile: Decodable {
    let config: OVPConfig?

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(Key(stringValue: "src")) {
            config = try OVPConfig(from: decoder)
        } else {
            let mediaId = decoder.userInfo[.mediaId] as? String
            config = try mediaId.flatMap {
                try container.decodeIfPresent(OVPConfig.self, forKey: Key(stringValue: $0))
            }
        }
    }
}

extension CodingUserInfoKey {
    fileprivate static let mediaId = Self(rawValue: "mediaId")!
}

extension String {
    /// `true` for a valid file name that does not refer to another folder.
    fileprivate var isFileName: Bool {
        !["", ".", ".."].contains(self) && !contains { $0 == "/" || $0 == "\0" }
    }
}
