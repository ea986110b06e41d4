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
    private let readers = Mutex<(all: [any MediaReader], isCancelled: Bool)>(([], false))

    init(_ bytes: any MediaBytes) { self.bytes = bytes }

    /// Creates an item for libVLC that reads from here. The byte source must outlive it.
    func makeMedia(_ instance: OpaquePointer) -> OpaquePointer? {
        libvlc_media_new_callbacks(
            instance,
            { context, reader, size in
                guard let context, let opened = VLCByteSource.of(context).open() else { return -1 }
                size?.pointee = opened.size ?? .max
                reader?.pointee = Unmanaged.passRetained(Opened(opened)).toOpaque()
                return 0
            },
            { opened, buffer, count in
                guard let opened else { return -1 }
                return Opened.of(opened).reader.read(into: .init(start: buffer, count: count)) ?? -1
            },
            bytes.isSeekableNearby
                ? { opened, offset in
                    guard let opened, Opened.of(opened).reader.seek(to: offset) else { return -1 }
                    return 0
                } : nil,
            { opened in
                guard let opened else { return }
                Unmanaged<Opened>.fromOpaque(opened).takeRetainedValue().reader.cancel()
            },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends all pending reads. Call it before libVLC is stopped, which waits for them.
    func cancel() {
        let readers = readers.withLock { state in
            state.isCancelled = true
            return state.all
        }
        for reader in readers { reader.cancel() }
    }

    private func open() -> (any MediaReader)? {
        guard let reader = bytes.open() else { return nil }
        let isCancelled = readers.withLock { state in
            state.all.append(reader)
            return state.isCancelled
        }
        if isCancelled { reader.cancel() }
        return reader
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> VLCByteSource {
        Unmanaged<VLCByteSource>.fromOpaque(context).takeUnretainedValue()
    }

    /// A class, because C needs a pointer to an object.
    private final class Opened {
        let reader: any MediaReader

        init(_ reader: any MediaReader) { self.reader = reader }

        static func of(_ pointer: UnsafeMutableRawPointer) -> Opened {
            Unmanaged<Opened>.fromOpaque(pointer).takeUnretainedValue()
        }
    }
}
#endif
