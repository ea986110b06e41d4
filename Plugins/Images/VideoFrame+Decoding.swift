import Foundation
import Playback

extension VideoFrame {
    /// The largest image that is decoded, in pixels. It needs 64 MB.
    package static let mostPixels = 16 << 20

    /// Decodes an image of JPEG or PNG, on the calling thread. Transparency is ignored.
    ///
    /// The size is read first. Nothing is decoded if there are more than `mostPixels`.
    ///
    /// - Returns: `nil` for other formats, for damaged images, and without the library of the format.
    package init?(imageData data: Data) {
        var frame: VideoFrame?
        if data.starts(with: [0xFF, 0xD8]) {
            frame = try? TurboJPEG.decode([UInt8](data))
        } else if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            frame = try? PNG.decode([UInt8](data))
        }
        guard let frame else { return nil }
        self = frame
    }

    /// A frame without content. Write all pixels before anyone else has it.
    init(width: Int, height: Int) {
        let storage = VideoFrameStorage(byteCount: width * height * 4)
        self.init(width: width, height: height, bytesPerRow: width * 4, storage: storage)
    }

    /// Returns a copy of a part; `nil` if it is empty or not within the frame.
    package func part(x: Int, y: Int, width: Int, height: Int) -> VideoFrame? {
        guard x >= 0, y >= 0, width > 0, height > 0, x <= self.width - width, y <= self.height - height else {
            return nil
        }
        let part = VideoFrame(width: width, height: height)
        for row in 0..<height {
            let source = storage.bytes[((y + row) * bytesPerRow + x * 4)...].prefix(width * 4)
            let target = UnsafeMutableRawBufferPointer(rebasing: part.storage.bytes[(row * part.bytesPerRow)...])
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source))
        }
        return part
    }

    fileprivate static func isAllowed(_ width: Int, _ height: Int) -> Bool {
        width > 0 && height > 0 && width <= mostPixels && height <= mostPixels && width * height <= mostPixels
    }
}

extension TurboJPEG {
    /// `TJPF_BGRA`
    private static let bgra: Int32 = 8
    /// `TJFLAG_LIMITSCANS`: a progressive image with thousands of scans is an error.
    private static let limitScans: Int32 = 1 << 15

    fileprivate static func decode(_ data: [UInt8]) throws(ImageError) -> VideoFrame? {
        typealias Create = @convention(c) () -> UnsafeMutableRawPointer?
        typealias Destroy = @convention(c) (UnsafeMutableRawPointer?) -> Int32
        typealias ReadHeader =
            @convention(c) (
                UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, UInt, UnsafeMutablePointer<Int32>,
                UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>
            ) -> Int32
        typealias Decompress =
            @convention(c) (
                UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, UInt, UnsafeMutableRawPointer?, Int32, Int32, Int32,
                Int32, Int32
            ) -> Int32
        let destroy = try library.function("tjDestroy", as: Destroy.self)
        let readHeader = try library.function("tjDecompressHeader3", as: ReadHeader.self)
        let decompress = try library.function("tjDecompress2", as: Decompress.self)
        guard let decoder = try library.function("tjInitDecompress", as: Create.self)() else { return nil }
        defer { _ = destroy(decoder) }
        var (width, height, subsampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let header = readHeader(decoder, data, UInt(data.count), &width, &height, &subsampling, &colours)
        guard header == 0, VideoFrame.isAllowed(Int(width), Int(height)) else { return nil }
        let frame = VideoFrame(width: Int(width), height: Int(height))
        let status = decompress(
            decoder, data, UInt(data.count), frame.storage.bytes.baseAddress, width, Int32(frame.bytesPerRow), height,
            bgra, limitScans)
        guard status == 0 else { return nil }
        return frame
    }
}

extension PNG {
    fileprivate static func decode(_ data: [UInt8]) throws(ImageError) -> VideoFrame? {
        typealias Begin = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer?, Int) -> Int32
        typealias Finish =
            @convention(c) (
                UnsafeMutableRawPointer, UnsafeRawPointer?, UnsafeMutableRawPointer?, Int32, UnsafeMutableRawPointer?
            ) -> Int32
        typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void
        let begin = try library.function("png_image_begin_read_from_memory", as: Begin.self)
        let finish = try library.function("png_image_finish_read", as: Finish.self)
        let free = try library.function("png_image_free", as: Free.self)
        var image = Self.image
        defer { free(&image) }
        guard begin(&image, data, data.count) != 0, VideoFrame.isAllowed(Int(image[3]), Int(image[4])) else {
            return nil
        }
        image[5] = bgra
        let frame = VideoFrame(width: Int(image[3]), height: Int(image[4]))
        let bytes = frame.storage.bytes
        guard finish(&image, nil, bytes.baseAddress, Int32(frame.bytesPerRow), nil) != 0 else { return nil }
        for alpha in stride(from: 3, to: bytes.count, by: 4) { bytes[alpha] = 255 }
        return frame
    }
}
