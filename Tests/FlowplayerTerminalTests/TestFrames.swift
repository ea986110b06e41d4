import Playback

extension VideoFrame {
    /// A frame with a colour for each pixel, as red, green and blue of 8 bits each.
    static func test(width: Int, height: Int, _ colour: (_ x: Int, _ y: Int) -> UInt32) -> VideoFrame {
        // A frame may have more bytes in a row than pixels.
        let bytesPerRow = 4 * width + 12
        let storage = VideoFrameStorage(byteCount: bytesPerRow * height)
        for y in 0..<height {
            for x in 0..<width {
                let pixel = 0xFF00_0000 | colour(x, y)
                storage.bytes.storeBytes(of: pixel.littleEndian, toByteOffset: y * bytesPerRow + 4 * x, as: UInt32.self)
            }
        }
        return VideoFrame(width: width, height: height, bytesPerRow: bytesPerRow, storage: storage)
    }

    /// Each pixel has its own colour.
    static func gradient(width: Int, height: Int, shift: Int = 0) -> VideoFrame {
        test(width: width, height: height) { x, y in
            UInt32((x * 5 + shift) % 256) << 16 | UInt32((y * 7 + shift) % 256) << 8 | UInt32((x + y + shift) % 256)
        }
    }
}

extension UInt32 {
    /// The colour as `#rrggbb`.
    var hex: String { "#" + String(self | 0x100_0000, radix: 16).dropFirst() }
}
