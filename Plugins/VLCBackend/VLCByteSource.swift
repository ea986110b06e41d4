#if VLC
    import CVLC

    /// Lets libVLC read bytes that we have opened, on its own threads.
    final class VLCByteSource {
        private let bytes: any MediaBytes

        init(_ bytes: any MediaBytes) { self.bytes = bytes }

        /// A medium that reads from here, which must outlive it.
        func makeMedia(_ instance: OpaquePointer) -> OpaquePointer? {
            libvlc_media_new_callbacks(
                instance,
                { context, reader, size in
                    guard let context, let opened = VLCByteSource.of(context).bytes.open() else { return -1 }
                    size?.pointee = opened.size ?? .max
                    reader?.pointee = Unmanaged.passRetained(Reader(opened)).toOpaque()
                    return 0
                },
                { reader, buffer, count in
                    guard let reader else { return -1 }
                    let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: count)
                    return Reader.of(reader).reader.read(into: buffer) ?? -1
                },
                { reader, offset in
                    guard let reader, Reader.of(reader).reader.seek(to: offset) else { return -1 }
                    return 0
                },
                { reader in if let reader { Unmanaged<Reader>.fromOpaque(reader).release() } },
                Unmanaged.passUnretained(self).toOpaque())
        }

        private static func of(_ context: UnsafeMutableRawPointer) -> VLCByteSource {
            Unmanaged<VLCByteSource>.fromOpaque(context).takeUnretainedValue()
        }

        /// A class of its own, since a pointer cannot be made of a protocol.
        private final class Reader {
            let reader: any MediaReader

            init(_ reader: any MediaReader) { self.reader = reader }

            static func of(_ pointer: UnsafeMutableRawPointer) -> Reader {
                Unmanaged<Reader>.fromOpaque(pointer).takeUnretainedValue()
            }
        }
    }
#endif
