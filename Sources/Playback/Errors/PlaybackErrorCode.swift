/// The identity of an error: a name and a number that never change.
///
/// Numbers come in bands: 1000 files, 2000 network, 3000 format, 4000 decoding, 5000 output, 6000 policy, 7000 backend,
/// 8000 video platform. More codes may come in each band.
public struct PlaybackErrorCode: Hashable, Sendable {
    /// In its band; never given to another code.
    public let number: Int
    /// The name under which logs and programs know the code.
    public let name: String
    /// One sentence that says what happened.
    public let summary: String
    /// One sentence that says what a person can do.
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

    public static func == (a: Self, b: Self) -> Bool { a.number == b.number }
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }

    /// ENOENT: nothing is at the path.
    public static let fileNotFound = Self(
        1001, "fileNotFound", "There is no such file.", advice: "Check the path and its spelling.")
    /// EACCES: the file is there, but this process may not read it.
    public static let permissionDenied = Self(
        1002, "permissionDenied", "The file may not be read.", advice: "Check its permissions and those of its folder.")
    /// The path names a folder instead of a file.
    public static let isDirectory = Self(
        1003, "isDirectory", "This is a folder, not a file.", advice: "Name a file in it.")
    /// A file of no bytes.
    public static let emptyFile = Self(
        1004, "emptyFile", "The file is empty.", advice: "Copy or download it again.")
    /// Any other error of the system on opening a file.
    public static let readFailed = Self(
        1005, "readFailed", "The file could not be read.", advice: "Check the disk or the mount it is on.",
        isRetryable: true)

    /// A status of 400 or more; `PlaybackError.httpStatus` has it.
    public static let httpStatus = Self(
        2001, "httpStatus", "The server refused the request.",
        advice: "Check the address and whether it needs a login.")
    /// ECONNREFUSED: no server listens on that port.
    public static let connectionRefused = Self(
        2002, "connectionRefused", "The server refused the connection.",
        advice: "Check host and port, and that the server runs.", isRetryable: true)
    /// The name of the host cannot be resolved.
    public static let hostNotFound = Self(
        2003, "hostNotFound", "The host is unknown.",
        advice: "Check the host's name and the network connection.", isRetryable: true)
    /// Any other failure to reach a server.
    public static let connectionFailed = Self(
        2004, "connectionFailed", "The connection to the server failed.",
        advice: "Check the network and try again.", isRetryable: true)
    /// The handshake failed or the certificate is not trusted.
    public static let tlsFailed = Self(
        2005, "tlsFailed", "No secure connection could be made.",
        advice: "Check the server's certificate and this machine's date.")
    /// The read timeout of the `RetryPolicy` expired, or playback could not start or resume in time.
    public static let timedOut = Self(
        2006, "timedOut", "The server did not answer in time.",
        advice: "Check the network and the server, and try again.", isRetryable: true)
    /// The connection was closed or reset before everything had come.
    public static let connectionLost = Self(
        2007, "connectionLost", "The connection broke off.",
        advice: "Check the network and try again.", isRetryable: true)
    /// The response breaks the rules of HTTP, or is about another item than before.
    public static let invalidResponse = Self(
        2008, "invalidResponse", "The server's answer cannot be used.",
        advice: "Check the address, and what the server has there.")
    /// One redirect led to the next.
    public static let tooManyRedirects = Self(
        2009, "tooManyRedirects", "The server redirects too often.",
        advice: "Check the address, and the server's configuration.")

    /// Garbage, text, or a format that no demuxer knows.
    public static let unrecognisedFormat = Self(
        3001, "unrecognisedFormat", "The format of the file is not known.",
        advice: "Check that the file is complete and contains audio or video.")
    /// A known container without audio or video that can be decoded.
    public static let noPlayableStream = Self(
        3002, "noPlayableStream", "The file contains no stream that can be played.",
        advice: "Try another version of it.")
    /// Data ended well before the known duration; the position says where.
    public static let endedEarly = Self(
        3003, "endedEarly", "The data ended before the end of the item.",
        advice: "Check that the file is whole, or the connection, and try again.", isRetryable: true)

    /// The container is known, the codec is not.
    public static let unsupportedCodec = Self(
        4001, "unsupportedCodec", "There is no decoder for this format.",
        advice: "Install the decoder or convert the file.")

    /// There is a decoder, and nothing comes of it.
    public static let decodingFailed = Self(
        4002, "decodingFailed", "The data could not be decoded.",
        advice: "Check that the file is not damaged, or try another version of it.")

    /// The URL scheme is not one that the backend plays.
    public static let unsupportedScheme = Self(
        6001, "unsupportedScheme", "Addresses of this kind are not supported.",
        advice: "Use a path, or an address that begins with http: or https:.")
    /// A server or a playlist leads to an address that `MediaSecurityPolicy` does not allow.
    public static let addressForbidden = Self(
        6002, "addressForbidden", "The item leads to an address that is not allowed.",
        advice: "Check whether the item can be trusted, and the player's security policy.")

    /// The engine could not start, or gave up without a reason.
    public static let engineFailed = Self(
        7001, "engineFailed", "The playback engine failed.", advice: "Try again; see the log for what it said.")
    /// The player has no engine to play with.
    public static let backendUnavailable = Self(
        7002, "backendUnavailable", "No playback engine is available.", advice: "Install one, or choose another.")

    /// A feature is needed for which the host has attached no plugin.
    public static let pluginMissing = Self(
        7003, "pluginMissing", "This item needs a plugin that is not attached.",
        advice: "Attach a plugin for it, or give an address that can be played without.")

    /// A call of the engine did not return; another one plays what comes next.
    public static let engineStuck = Self(
        7004, "engineStuck", "The playback engine did not answer any more.",
        advice: "Try again: a fresh one has taken its place.", isRetryable: true)

    /// The video platform refused the access token, or none is set.
    public static let invalidAccessToken = Self(
        8001, "invalidAccessToken", "The video platform does not accept the access token.",
        advice: "Set a valid token: Flowplayer.current.accessToken.")
    /// The video platform's answer, or a file in its place, is not a configuration that can be played.
    public static let invalidConfig = Self(
        8002, "invalidConfig", "The configuration of the item cannot be used.",
        advice: "Check the media and player ids, and what is published under them.")
    /// The video platform has no such item or player.
    public static let mediaNotFound = Self(
        8003, "mediaNotFound", "The video platform has no such item.",
        advice: "Check the media and player ids.")

    /// Every code there is.
    public static let all: [PlaybackErrorCode] = [
        .fileNotFound, .permissionDenied, .isDirectory, .emptyFile, .readFailed,
        .httpStatus, .connectionRefused, .hostNotFound, .connectionFailed, .tlsFailed, .timedOut, .connectionLost,
        .invalidResponse, .tooManyRedirects,
        .unrecognisedFormat, .noPlayableStream, .endedEarly, .unsupportedCodec, .decodingFailed,
        .unsupportedScheme, .addressForbidden,
        .engineFailed, .backendUnavailable, .pluginMissing, .engineStuck,
        .invalidAccessToken, .invalidConfig, .mediaNotFound,
    ]
}

extension PlaybackErrorCode: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let code = Self.all.first(where: { $0.name == name }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown error code \(name)")
        }
        self = code
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
