/// How a server that inserts advertisements knows a stream. Frozen: there are these two kinds.
public enum DAIStream: Hashable, Codable, Sendable {
    /// A live stream, by its key.
    case live(assetKey: String)
    /// A video on demand, by the collection that holds it and its id there.
    case vod(contentSourceID: String, videoID: String)
}
