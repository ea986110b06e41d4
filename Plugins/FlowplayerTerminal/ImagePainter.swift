import Foundation
import Playback

/// Writes frames as images of the kitty graphics protocol: RGB in base64, in pieces of 4096 bytes.
///
/// A frame has one of two numbers. The image before is deleted when the new one is on the screen, so nothing flickers.
struct ImagePainter {
    /// The largest width of an image, in pixels. The terminal scales it. A wider one costs more than it shows.
    static let mostColumns = 640

    let size: TerminalSize
    /// Other programs may have images in the same terminal.
    private let firstNumber = UInt32(truncatingIfNeeded: getpid()) << 1
    private var shown: UInt32?

    /// - Parameter size: the size of the terminal, which shows nothing yet.
    init(size: TerminalSize) { self.size = size }

    /// Appends the bytes that replace the image on the screen.
    mutating func paint(_ frame: VideoFrame, into bytes: inout [UInt8]) {
        guard frame.width > 0, frame.height > 0, size.videoRows > 0 else { return }
        let number = shown == firstNumber ? firstNumber + 1 : firstNumber
        let step = (frame.width + Self.mostColumns - 1) / Self.mostColumns
        let (width, height) = ((frame.width + step - 1) / step, (frame.height + step - 1) / step)
        let area = size.area(of: frame)
        bytes.appendPosition(row: area.top, column: area.left)
        let text = Self.base64(frame, step: step, width: width, height: height)
        let keys = "a=T,f=24,s=\(width),v=\(height),c=\(area.width),r=\(area.height),i=\(number),p=1,C=1,q=2,"
        for start in stride(from: 0, to: text.count, by: Self.pieceLength) {
            let end = min(start + Self.pieceLength, text.count)
            bytes += "\u{1B}_G\(start == 0 ? keys : "")m=\(end < text.count ? 1 : 0);".utf8
            bytes += text[start..<end]
            bytes += Self.stringEnd
        }
        let last = shown
        shown = number
        if let last { Self.delete(last, into: &bytes) }
    }

    /// Appends the bytes that remove both images. The end of the last transmission may have been cut.
    mutating func clear(into bytes: inout [UInt8]) {
        guard shown != nil else { return }
        for number in [firstNumber, firstNumber + 1] { Self.delete(number, into: &bytes) }
        shown = nil
    }

    private static let pieceLength = 4096
    private static let stringEnd = [UInt8](TerminalView.stringEnd.utf8)

    private static func delete(_ number: UInt32, into bytes: inout [UInt8]) {
        bytes += "\u{1B}_Ga=d,d=I,i=\(number),q=2\(TerminalView.stringEnd)".utf8
    }

    /// Each pixel of three bytes has four characters.
    private static func base64(_ frame: VideoFrame, step: Int, width: Int, height: Int) -> [UInt8] {
        frame.withUnsafeBytes { bytes in
            [UInt8](unsafeUninitializedCapacity: 4 * width * height) { text, count in
                var next = 0
                for y in 0..<height {
                    let row = y * step * frame.bytesPerRow
                    for x in 0..<width {
                        let pixel = UInt32(
                            littleEndian: bytes.loadUnaligned(fromByteOffset: row + 4 * x * step, as: UInt32.self))
                        text[next] = alphabet[Int(pixel >> 18 & 63)]
                        text[next + 1] = alphabet[Int(pixel >> 12 & 63)]
                        text[next + 2] = alphabet[Int(pixel >> 6 & 63)]
                        text[next + 3] = alphabet[Int(pixel & 63)]
                        next += 4
                    }
                }
                count = next
            }
        }
    }

    private static let alphabet = [UInt8](
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
