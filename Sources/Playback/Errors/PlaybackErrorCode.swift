/// The kind of an error, with a stable name and number.
///
/// Numbers come in bands: 1000 files, 2000 network, 3000 format, 4000 decoding, 5000 output, 6000 policy,
/// 7000 backend, 8000 video platform. Later versions may add codes to each band.
public struct PlaybackErrorCode: Hashable, Sendable {
    /// A unique number in the code's band.
    public let number: Int
    /// The name of the code in logs and programs.
    public let name: String
    /// A sentence that describes the failure.
    public let summary: String
    /// A sentence that recommends a remedy.
    public let advice: String
    /// `true` if the same request may succeed later.
    public let isRetryable: Bool

    private init(_ number: Int, _ name: String, _ summary: String, advice: String, isRetryable: Bool = false) {
        self.number = number
        self.name = name
        self.summary = summary
        self.advice = advice
        self.isRetryable = isRetryable
    }

    /// ENOENT: the path does not exist.
    public static let fileNotFound = Self(
        1001, "fileNotFound", "There is no such file.", advice: "Check the path and its spelling.")
    /// EACCES: this process may not read the file.
    public static let permissionDenied = Self(
        1002, "permissionDenied", "No permission to read the file.",
        advice: "Check the permissions of the file and its folder.")
    /// The path is a folder, not a file.
    public static let isDirectory = Self(
        1003, "isDirectory", "This is a directory, not a media file.", advice: "Name a file in it.")
    /// The file has no bytes.
    public static let emptyFile = Self(1004, "emptyFile", "The file is empty.", advice: "Copy or download it again.")
    /// The system reported any other error when it opened or read a file.
    public static let readFailed = Self(
        1005, "readFailed", "The file could not be read.", advice: "Check the disk or the mount.", isRetryable: true)

    /// The server answered with a status of 400 or more. `PlaybackError.httpStatus` contains it.
    public static let httpStatus = Self(
        2001, "httpStatus", "The server refused the request.", advice: "Check the address and whether it needs a login."
    )
    /// ECONNREFUSED: no server listens on the port.
    public static let connectionRefused = Self(
        2002, "connectionRefused", "The server refused the connection.",
        advice: "Check the host and port, and that the server is running.", isRetryable: true)
    /// The host name cannot be resolved.
    public static let hostNotFound = Self(
        2003, "hostNotFound", "Unknown host.", advice: "Check the host name and the network connection.",
        isRetryable: true)
    /// The server cannot be reached for any other reason.
    public static let connectionFailed = Self(
        2004, "connectionFailed", "The connection to the server failed.", advice: "Check the network and try again.",
        isRetryable: true)
    /// The TLS handshake failed, or the certificate is not trusted.
    public static let tlsFailed = Self(
        2005, "tlsFailed", "The secure connection failed.",
        advice: "Check the server's certificate and this machine's date.")
    /// A timeout of `RetryPolicy` expired: no data arrived, or playback did not start or resume in time.
    public static let timedOut = Self(
        2006, "timedOut", "The server did not send the data in time.",
        advice: "Check the network and the server, and try again.", isRetryable: true)
    /// The connection was closed or reset before all data had arrived.
    public static let connectionLost = Self(
        2007, "connectionLost", "The connection was lost.", advice: "Check the network and try again.",
        isRetryable: true)
    /// The response violates HTTP, or belongs to a different file than the responses before.
    public static let invalidResponse = Self(
        2008, "invalidResponse", "The server sent an invalid response.", advice: "Check the address and the server.")
    /// The server sent more redirects than the player follows.
    public static let tooManyRedirects = Self(
        2009, "tooManyRedirects", "The server redirects too often.",
        advice: "Check the address and the server's configuration.")

    /// The server ignores byte ranges, and the file can only be played with them.
    public static let rangesUnsupported = Self(
        2010, "rangesUnsupported", "The server does not support byte ranges, which this file needs.",
        advice: "Use another server, or put the file's index at its start.")

    /// The file is not media, or no demuxer supports its format.
    public static let unrecognisedFormat = Self(
        3001, "unrecognisedFormat", "This is not a media file in a known format.",
        advice: "Check that the file is complete and contains audio or video.")
    /// The container is supported, but holds no audio or video stream that can be decoded.
    public static let noPlayableStream = Self(
        3002, "noPlayableStream", "The file contains no stream that can be played.",
        advice: "Try another version of the file.")
    /// The data ended well before the known duration. The player's position is the place.
    public static let endedEarly = Self(
        3003, "endedEarly", "The stream ended early.", advice: "Check the file or the connection, and try again.",
        isRetryable: true)

    /// The container is supported, the codec is not.
    public static let unsupportedCodec = Self(
        4001, "unsupportedCodec", "No decoder is installed for this format.",
        advice: "Install the decoder or convert the file.")

    /// The decoder produces no output.
    public static let decodingFailed = Self(
        4002, "decodingFailed", "The file could not be decoded.",
        advice: "Check the file for damage, or try another version of it.")

    /// The backend does not support the URL scheme.
    public static let unsupportedScheme = Self(
        6001, "unsupportedScheme", "Addresses of this kind are not supported.",
        advice: "Use a path, or an address that starts with http: or https:.")
    /// A server or a playlist refers to an address that `MediaSecurityPolicy` does not allow.
    public static let addressForbidden = Self(
        6002, "addressForbidden", "The stream refers to an address that is not allowed.",
        advice: "Check whether you trust the source, and the player's security policy.")

    /// The engine did not start, or failed without a reason.
    public static let engineFailed = Self(
        7001, "engineFailed", "The playback engine failed.", advice: "Try again. The log contains the details.")
    /// There is no engine, or a library or program that it needs is missing.
    public static let backendUnavailable = Self(
        7002, "backendUnavailable", "No playback engine is available.", advice: "Install one or choose another.")

    /// The item needs a plugin that the host has not attached.
    public static let pluginMissing = Self(
        7003, "pluginMissing", "This item needs a plugin that is not attached.",
        advice: "Attach the plugin, or use an address that needs none.")

    /// A call of the engine did not return, and a new engine plays the next item. Or the engine has data and plays nothing.
    public static let engineStuck = Self(
        7004, "engineStuck", "The playback engine stopped responding.",
        advice: "Try again. A new engine has replaced it.", isRetryable: true)
    /// The engine's process ended several times while it played this item.
    public static let engineCrashed = Self(
        7005, "engineCrashed", "The playback engine crashed several times.",
        advice: "Check the file for damage, or try another version of it.")

    /// The video platform refused the access token, or none is set.
    public static let invalidAccessToken = Self(
        8001, "invalidAccessToken", "The video platform does not accept the access token.",
        advice: "Set a valid token: Flowplayer.current.accessToken.")
    /// The video platform's response, or a file in its place, is not a valid configuration.
    public static let invalidConfig = Self(
        8002, "invalidConfig", "The item's configuration is invalid.",
        advice: "Check the media and player ids, and what is published under them.")
    /// The video platform has no item or player with this id.
    public static let mediaNotFound = Self(
        8003, "mediaNotFound", "The video platform has no such item.", advice: "Check the media and player ids.")
    /// The host has set no video platform.
    public static let platformMissing = Self(
        8004, "platformMissing", "There is no video platform to ask.",
        advice: "Set Flowplayer.current.platformURL and accessToken, or ovpClient.")

    /// All codes.
    public static let all: [PlaybackErrorCode] = [
        .fileNotFound, .permissionDenied, .isDirectory, .emptyFile, .readFailed, .httpStatus, .connectionRefused,
        .hostNotFound,
        .connectionFailed, .tlsFailed, .timedOut, .connectionLost, .invalidResponse, .tooManyRedirects,
        .rangesUnsupported, .unrecognisedFormat, .noPlayableStream, .endedEarly, .unsupportedCodec, .decodingFailed,
        .unsupportedScheme, .addressForbidden,
        .engineFailed,
        .backendUnavailable, .pluginMissing, .engineStuck, .engineCrashed,
        .invalidAccessToken, .invalidConfig, .mediaNotFound,
        .platformMissing,
    ]
}

extension PlaybackErrorCode: RawRepresentable, Codable {
    /// The name of the code.
    public var rawValue: String { name }

    /// Creates the code with this name; `nil` if there is none.
    public init?(rawValue: String) {
        guard let code = Self.all.first(where: { $0.name == rawValue }) else { return nil }
        self = code
    }
}
