/// A video frame: rows of BGRA pixels, 8 bits a channel, alpha always 255.
///
/// The frame is upright and its pixels are square, so a view draws it with the proportions `width` to `height`.
///
/// You can keep a frame as long as you need it. Its pixels do not change. Its memory returns to the engine's pool with
/// the last copy.
public struct VideoFrame: Sendable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// From the start of one row to that of the next; at least `4 * width`.
    public let bytesPerRow: Int
    /// The memory of the pixels. The first `height * bytesPerRow` bytes belong to the frame.
    ///
    /// As long as the storage is retained, the bytes keep their address and do not change. A texture can use them without
    /// a copy if it retains the storage, and releases it on any thread.
    package let storage: VideoFrameStorage

    package init(width: Int, height: Int, bytesPerRow: Int, storage: VideoFrameStorage) {
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.storage = storage
    }

    /// Gives access to `height * bytesPerRow` bytes, for the time of the call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: storage.bytes.baseAddress, count: height * bytesPerRow))
    }
}

/// The memory of one frame.
// Unchecked: written by the engine before the frame that holds it is made, and only read from then on.
package final class VideoFrameStorage: @unchecked Sendable {
    package let bytes: UnsafeMutableRawBufferPointer
    private let release: @Sendable () -> Void

    package convenience init(byteCount: Int) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        nonisolated(unsafe) let memory = bytes
        self.init(bytes) { memory.deallocate() }
    }

    /// - Parameter release: called once, when the last frame is released, on any thread.
    package init(_ bytes: UnsafeMutableRawBufferPointer, release: @escaping @Sendable () -> Void) {
        self.bytes = bytes
        self.release = release
    }

    deinit { release() }
}

/// A sink that provides the memory of its frames, so that another process can read them without a copy.
package protocol VideoFrameMemory: VideoFrameSink {
    /// Called on a thread of the engine, for each storage of a `VideoFramePool`.
    func makeStorage(byteCount: Int) -> VideoFrameStorage
}

/// The memory of the frames for one sink. It is used again when nobody holds its frame any more.
package struct VideoFramePool {
    /// If a sink keeps more frames than this, their memory returns to the system, not to the pool.
    private static let capacity = 4

    private var storages: [VideoFrameStorage] = []
    private var byteCount = 0

    package init() {}

    /// Returns memory that no frame uses.
    package mutating func storage(byteCount: Int, for sink: (any VideoFrameSink)?) -> VideoFrameStorage {
        if byteCount != self.byteCount { (storages, self.byteCount) = ([], byteCount) }
        if let free = storages.indices.first(where: { isKnownUniquelyReferenced(&storages[$0]) }) {
            return storages[free]
        }
        let memory = sink as? any VideoFrameMemory
        let storage = memory?.makeStorage(byteCount: byteCount) ?? VideoFrameStorage(byteCount: byteCount)
        if storages.count < Self.capacity { storages.append(storage) }
        return storage
    }
}
