#if VLC
import MediaTransport
import CVLC
import Synchronization

/// Provides bytes that we have opened to libVLC, which reads them on its own threads.
///
/// Without a function for seeking, libVLC takes the bytes for a live stream. It reads them as fast as they arrive, calculates its clock
/// from that, and does not pause. A file that is read in order would end early. So it has the function, which fails for positions that
/// are not in the buffer.
final class VLCByteSource: Sendable {
    private let bytes: any MediaBytes
    private let opened = Mutex<(all: [Opened], isCancelled: Bool)>(([], false))

    init(_ bytes: any MediaBytes) { self.bytes = bytes }

    /// Creates an item for libVLC that reads from here. The byte source must outlive it.
    func makeMedia(_ instance: OpaquePointer) -> OpaquePointer? {
        libvlc_media_new_callbacks(
            instance,
            { context, reader, size in
                guard let context, let opened = VLCByteSource.of(context).open() else { return -1 }
                size?.pointee = opened.reader.size ?? .max
                reader?.pointee = Unmanaged.passRetained(opened).toOpaque()
                return 0
            },
            { opened, buffer, count in
                guard let opened = opened.map(Opened.of) else { return -1 }
                let length = opened.reader.read(into: .init(start: buffer, count: count))
                opened.isAtEnd.store(length == 0, ordering: .relaxed)
                return length ?? -1
            },
            bytes.isSeekableNearby
                ? { opened, offset in
                    guard let opened = opened.map(Opened.of) else { return -1 }
                    opened.isAtEnd.store(false, ordering: .relaxed)
                    return opened.reader.seek(to: offset) ? 0 : -1
                } : nil,
            { opened in
                guard let opened else { return }
                let closed = Unmanaged<Opened>.fromOpaque(opened).takeRetainedValue()
                closed.reader.cancel()
                closed.isAtEnd.store(false, ordering: .relaxed)
            },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends all pending reads. Call it before libVLC is stopped, which waits for them.
    func cancel() {
        let opened = opened.withLock { state in
            state.isCancelled = true
            return state.all
        }
        for each in opened { each.reader.cancel() }
    }

    /// `true` if libVLC has read the last byte. It opens a file twice, once for its tags.
    var hasReadAll: Bool { opened.withLock { $0.all.contains { $0.isAtEnd.load(ordering: .relaxed) } } }

    private func open() -> Opened? {
        guard let reader = bytes.open() else { return nil }
        let new = Opened(reader)
        let isCancelled = opened.withLock { state in
            state.all.append(new)
            return state.isCancelled
        }
        if isCancelled { reader.cancel() }
        return new
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> VLCByteSource {
        Unmanaged<VLCByteSource>.fromOpaque(context).takeUnretainedValue()
    }

    /// A class, because C needs a pointer to an object.
    private final class Opened: Sendable {
        let reader: any MediaReader
        let isAtEnd = Atomic(false)

        init(_ reader: any MediaReader) { self.reader = reader }

        static func of(_ pointer: UnsafeMutableRawPointer) -> Opened {
            Unmanaged<Opened>.fromOpaque(pointer).takeUnretainedValue()
        }
    }
}
#endif
