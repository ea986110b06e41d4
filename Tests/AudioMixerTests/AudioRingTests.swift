import Foundation
import Testing

@testable import AudioMixer

/// The ring between an engine's audio thread and the mixer.
@Suite struct AudioRingTests {
    private func write(_ elements: [Int], to ring: RingBuffer<Int>) -> Bool {
        elements.withUnsafeBufferPointer { ring.write($0) }
    }

    @Test func anEmptyRingReadsNothing() {
        let ring = RingBuffer<Int>(capacity: 4)
        #expect(ring.read(4).isEmpty)
        #expect(write([], to: ring))
        #expect(ring.read(4).isEmpty)
        #expect(ring.space == 4)
    }

    @Test func aFullRingTakesNothing() {
        let ring = RingBuffer<Int>(capacity: 4)
        #expect(write([1, 2, 3, 4], to: ring))
        #expect(!write([5], to: ring))
        #expect(ring.read(1) == [1])
        #expect(!write([5, 6], to: ring))
        #expect(write([5], to: ring))
        #expect(ring.read(9) == [2, 3, 4, 5])
    }

    @Test func elementsWrapAround() {
        let ring = RingBuffer<Int>(capacity: 5)
        for start in stride(from: 0, to: 300, by: 3) {
            #expect(write([start, start + 1, start + 2], to: ring))
            #expect(ring.read(5) == [start, start + 1, start + 2])
        }
    }

    @Test func twoThreadsExchangeAMillionFramesExactly() async {
        let count = 1_000_000
        let ring = RingBuffer<UInt32>(capacity: 1000)
        let writer = Thread {
            var next: UInt32 = 0
            while next < count {
                let size = min(Int(next % 97) + 1, count - Int(next))
                let block = (0..<UInt32(size)).map { next + $0 }
                while !block.withUnsafeBufferPointer({ ring.write($0) }) { sched_yield() }
                next += UInt32(size)
            }
        }
        writer.start()
        let isExact = await withCheckedContinuation { continuation in
            Thread {
                var next: UInt32 = 0
                var isExact = true
                while next < count {
                    let block = ring.read(64)
                    if block.isEmpty { sched_yield() }
                    for frame in block {
                        isExact = isExact && frame == next
                        next += 1
                    }
                }
                continuation.resume(returning: isExact)
            }.start()
        }
        #expect(isExact)
        #expect(ring.read(1).isEmpty)
    }

    /// Pushes frames of one value.
    private func push(_ frames: Int, _ value: Int16, at time: Int64, to ring: AudioRing) {
        [Int16](repeating: value, count: frames * 2).withUnsafeBufferPointer { ring.push($0, at: time) }
    }

    @Test func audioAndCommandsKeepTheirOrder() {
        let ring = AudioRing()
        ring.send(.begin(rate: 44100))
        push(2, 7, at: 10, to: ring)
        ring.send(.flush)
        push(1, 8, at: 20, to: ring)
        ring.send(.drain)
        #expect(describe(ring) == ["begin 44100", "7 7 7 7 at 10", "flush", "8 8 at 20", "drain"])
    }

    @Test func audioThatDoesNotFitIsCountedAndCommandsStillFit() {
        let ring = AudioRing()
        for second in 0..<8 { push(48000, 1, at: Int64(second), to: ring) }
        #expect(ring.droppedFrames == 3 * 48000)
        ring.send(.drain)
        #expect(describe(ring).last == "drain")
        push(1, 2, at: 9, to: ring)
        #expect(describe(ring) == ["2 2 at 9"])
    }

    @Test func manySmallBlocksLeaveRoomForCommands() {
        let ring = AudioRing()
        for time in 0..<5000 { push(1, 1, at: Int64(time), to: ring) }
        #expect(ring.droppedFrames > 0)
        ring.send(.drain)
        #expect(describe(ring).last == "drain")
    }

    /// Reads all messages.
    private func describe(_ ring: AudioRing) -> [String] {
        var result: [String] = []
        while let message = ring.next() {
            switch message {
            case .audio(let samples, let time):
                result.append(ring.read(samples).map(String.init).joined(separator: " ") + " at \(time)")
            case .begin(let rate): result.append("begin \(rate)")
            case .drain: result.append("drain")
            case .flush: result.append("flush")
            case .discard: result.append("discard")
            }
        }
        return result
    }
}
