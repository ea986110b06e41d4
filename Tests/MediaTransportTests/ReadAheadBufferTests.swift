import TestSupport
import Testing

@testable import MediaTransport

@Suite struct ReadAheadBufferTests {
    private func read(_ count: Int, _ buffer: inout ReadAheadBuffer) -> [UInt8] {
        let target = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { target.deallocate() }
        let done = buffer.read(into: target)
        return Array(target.prefix(done))
    }

    private func append(_ bytes: [UInt8], _ buffer: inout ReadAheadBuffer) {
        bytes.withUnsafeBytes { buffer.append($0) }
    }

    @Test func bytesAreReadInOrder() {
        var buffer = ReadAheadBuffer(capacity: 8, kept: 2)
        append([1, 2, 3, 4, 5, 6], &buffer)
        #expect(buffer.room == 0)
        #expect(read(4, &buffer) == [1, 2, 3, 4])
        append([7, 8, 9, 10], &buffer)
        #expect(read(10, &buffer) == [5, 6, 7, 8, 9, 10])
        #expect(read(10, &buffer) == [])
    }

    @Test func theLastBytesCanBeReadAgain() {
        var buffer = ReadAheadBuffer(capacity: 8, kept: 2)
        append([1, 2, 3, 4, 5, 6], &buffer)
        _ = read(6, &buffer)
        append([7, 8, 9, 10], &buffer)
        let (canReturn, isGone) = (buffer.move(to: 2), !buffer.move(to: 1))
        #expect(canReturn && isGone)
        #expect(read(10, &buffer) == [3, 4, 5, 6, 7, 8, 9, 10])
    }

    /// Against a plain array.
    @Test func aRandomWalkEqualsAnArray() {
        var dice = Dice(seed: 3)
        var buffer = ReadAheadBuffer(capacity: 64, kept: 16)
        let whole = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 3) }
        var (came, position) = (0, 0)
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &dice) {
            case 0..<4:
                let count = min(Int.random(in: 0...buffer.room, using: &dice), whole.count - came)
                append(Array(whole[came..<came + count]), &buffer)
                came += count
            case 4..<8:
                let bytes = read(Int.random(in: 1...20, using: &dice), &buffer)
                #expect(bytes.elementsEqual(whole[position..<position + bytes.count]))
                position += bytes.count
            case 8:
                let target = max(0, position - Int.random(in: 0...16, using: &dice))
                let isMoved = buffer.move(to: UInt64(target))
                #expect(isMoved || position < 16 || target < Int(buffer.start))
                if isMoved { position = target }
            default:
                #expect(Int(buffer.end) == came && Int(buffer.position) == position)
                guard Int.random(in: 0..<50, using: &dice) == 0 else { continue }
                position = Int.random(in: 0..<whole.count, using: &dice)
                came = position
                buffer.restart(at: UInt64(position))
            }
        }
    }
}
