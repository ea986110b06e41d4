import Playback

extension VideoFrame {
    /// The pixel in a column and a row, counted from the upper left; `nil` outside the frame.
    public func pixel(x: Int, y: Int) -> (blue: UInt8, green: UInt8, red: UInt8)? {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
        return withUnsafeBytes { bytes in
            let start = y * bytesPerRow + 4 * x
            return (bytes[start], bytes[start + 1], bytes[start + 2])
        }
    }
}
