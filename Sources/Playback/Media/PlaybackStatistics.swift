/// Figures about the playback of an item. They start again with each load.
///
/// An engine that does not report a figure leaves it at 0 or `nil`.
public struct PlaybackStatistics: Codable, Hashable, Sendable {
    /// The time from the load, or from the first `play` if it came later, until playback started. In seconds; `nil` before.
    public var startupTime: Double?
    /// The number of stalls. Waiting for the start or for a seek is not a stall.
    public var stallCount = 0
    /// The time of the stalls that are over, in seconds. A pause or a seek ends a stall.
    public var stallTime = 0.0
    /// The bytes that arrived from servers: files, playlists, segments, keys and subtitles.
    public var bytesReceived = 0
    /// The bit rate of the current variant as its playlist declares it, in bits per second; `nil` without variants.
    public var indicatedBitRate: Double?
    /// The bit rate at which bytes arrived while they were requested, in bits per second; `nil` for a local file.
    public var observedBitRate: Double?
    /// The frames that were too late to be shown.
    public var droppedFrames = 0
    /// The engine's name for the decoder of the video, such as `v4l2h264dec`; `nil` if the engine does not report it.
    public var videoDecoder: String?
    /// The retries of requests and of the whole item.
    public var retries = 0
    /// The CPU time of the engine's process since its start, in seconds; `nil` if the engine runs in this process.
    public var engineCPUTime: Double?
    /// The memory that the engine's process uses, in bytes; `nil` if the engine runs in this process.
    public var engineMemory: Int?

    /// Creates figures of an item that has not started.
    public init() {}

    /// Adds the counts of an engine since its last report, and takes over its bit rates.
    mutating func add(_ report: PlaybackStatistics) {
        bytesReceived += report.bytesReceived
        droppedFrames += report.droppedFrames
        retries += report.retries
        (indicatedBitRate, observedBitRate) = (report.indicatedBitRate, report.observedBitRate)
        videoDecoder = report.videoDecoder
        (engineCPUTime, engineMemory) = (report.engineCPUTime ?? engineCPUTime, report.engineMemory ?? engineMemory)
    }
}
