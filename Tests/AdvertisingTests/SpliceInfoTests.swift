import Foundation
import TestSupport
import Testing

@testable import Advertising

/// Messages of SCTE 35.
@Suite struct SpliceInfoTests {
    private func info(_ text: String) throws -> SpliceInfo {
        let section = try #require(Data(base64Encoded: text))
        return try #require(SpliceInfo(section))
    }

    // The three are examples of SCTE 35, section 14.

    @Test func aTimeSignalStartsAnOpportunity() throws {
        let info = try info("/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==")
        #expect(info.command == .timeSignal && info.segmentations.count == 1)
        let segmentation = info.segmentations[0]
        #expect(segmentation.eventID == 0x4800_008E && segmentation.type == 0x34 && segmentation.duration == 307)
        #expect(segmentation.upidType == 8 && segmentation.upid == Data([0, 0, 0, 0, 0x2C, 0xA0, 0xA1, 0x8A]))
        #expect(segmentation.number == 2 && segmentation.count == 0 && !segmentation.isCancelled)
    }

    @Test func aSpliceInsertStartsABreak() throws {
        let info = try info("/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo=")
        guard case .insert(let insert) = info.command else {
            Issue.record("\(info)")
            return
        }
        #expect(insert.eventID == 0x4800_008F && insert.isOut && !insert.isCancelled)
        #expect(abs((insert.duration ?? 0) - 60.293) < 0.001)
        #expect(info.segmentations == [])
    }

    @Test func aTimeSignalEndsAnOpportunity() throws {
        let info = try info("/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g=")
        #expect(info.segmentations.map(\.type) == [0x35] && info.segmentations[0].duration == nil)
    }

    @Test(arguments: [
        SpliceSection(.insert(id: 1, isOut: true, duration: 30)), SpliceSection(.insert(id: 2, isOut: false)),
        SpliceSection(.insert(id: 3, isOut: true, isImmediate: true)),
        SpliceSection(.insert(id: 4, isOut: true, components: 2)),
        SpliceSection(.timeSignal, [.init(id: 5, type: 0x30, duration: 15), .init(id: 5, type: 0x31)]),
        SpliceSection(.timeSignal, [.init(id: 6, type: 0x22, components: 3)]), SpliceSection(.null),
        SpliceSection(.timeSignal, [.init(id: 7, type: 0x36)], isSized: false),
    ])
    func sectionsAreRead(section: SpliceSection) throws {
        let info = try #require(SpliceInfo(section.data))
        #expect(info.segmentations.map(\.type) == section.segmentations.map(\.type))
        #expect(info.segmentations.map(\.eventID) == section.segmentations.map(\.id))
        #expect(info.segmentations.map(\.duration) == section.segmentations.map(\.duration))
        switch (section.command, info.command) {
        case (.insert(let id, let isOut, let duration, _, _), .insert(let insert)):
            #expect(insert == .init(eventID: id, isOut: isOut, duration: duration))
        case (.timeSignal, .timeSignal), (.null, .other(0)): break
        default: Issue.record("\(info)")
        }
    }

    @Test func cancelledEventsSayOnlyThat() throws {
        let section = SpliceSection(.insert(id: 9, isCancelled: true), [.init(id: 8, type: 0, isCancelled: true)])
        let info = try #require(SpliceInfo(section.data))
        #expect(info.command == .insert(.init(eventID: 9, isCancelled: true)))
        #expect(info.segmentations == [.init(eventID: 8, isCancelled: true)])
    }

    @Test func anotherDescriptorIsSkipped() throws {
        var section = SpliceSection(.timeSignal, [.init(id: 1, type: 0x30)])
        section.otherDescriptors = [[0, 4, 1, 2, 3, 4], [2, 4, 1, 2, 3, 4]]
        #expect(try #require(SpliceInfo(section.data)).segmentations.count == 1)
    }

    @Test func damagedSectionsAreRefused() {
        let good = SpliceSection(.insert(id: 1, isOut: true, duration: 30), [.init(id: 5, type: 0x30)]).data
        #expect(SpliceInfo(good) != nil && SpliceInfo(good + Data([0xFF])) != nil)
        for count in 0..<good.count { #expect(SpliceInfo(good.prefix(count)) == nil) }
        for index in good.indices {
            var bad = good
            bad[index] ^= 1
            #expect(SpliceInfo(bad) == nil, "\(index)")
        }
        var encrypted = SpliceSection(.timeSignal)
        encrypted.isEncrypted = true
        #expect(SpliceInfo(encrypted.data) == nil)
    }

    /// With the right checksum, so that the fields behind it are read.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func anySectionIsReadOrRefused(seed: UInt64) async {
        let sections = [
            SpliceSection(.insert(id: 1, isOut: true, duration: 30), [.init(id: 5, type: 0x30, duration: 15)]),
            SpliceSection(.insert(id: 4, isOut: true, components: 2)),
            SpliceSection(.timeSignal, [.init(id: 6, type: 0x22, components: 3), .init(id: 6, type: 0x23)]),
        ]
        let bodies = sections.map { [UInt8]($0.data.dropLast(4)) }
        var mutator = Mutator(seed: seed, pieces: ["CUEI", "\u{2}", "\0\0\0\0"])
        var read = 0
        for number in 0..<Fuzzing.count(short: 250) {
            await Fuzzing.giveWay(number)
            var bytes = mutator.mutant(of: bodies)
            if bytes.count > 3, number.isMultiple(of: 2) { SpliceSection.setLength(of: &bytes) }
            guard let info = SpliceInfo(SpliceSection.checked(bytes)) else { continue }
            read += 1
            #expect(info.segmentations.allSatisfy { $0.duration ?? 0 >= 0 })
        }
        #expect(read > 20)
    }
}

/// Writes a section of SCTE 35.
struct SpliceSection: CustomTestStringConvertible, Sendable {
    enum Command: Hashable, Sendable {
        case insert(id: UInt32, isOut: Bool, duration: Double? = nil, isImmediate: Bool = false, components: Int = 0)
        case cancelledInsert(id: UInt32)
        case timeSignal
        case null

        static func insert(id: UInt32, isCancelled: Bool) -> Command { .cancelledInsert(id: id) }
    }

    struct Segmentation: Hashable, Sendable {
        var id: UInt32
        var type: UInt8
        var duration: Double?
        var components = 0
        var isCancelled = false

        init(id: UInt32, type: UInt8, duration: Double? = nil, components: Int = 0, isCancelled: Bool = false) {
            (self.id, self.type, self.duration) = (id, type, duration)
            (self.components, self.isCancelled) = (components, isCancelled)
        }
    }

    var command: Command
    var segmentations: [Segmentation]
    var isSized = true
    var isEncrypted = false
    var otherDescriptors: [[UInt8]] = []

    init(_ command: Command, _ segmentations: [Segmentation] = [], isSized: Bool = true) {
        (self.command, self.segmentations, self.isSized) = (command, segmentations, isSized)
    }

    var testDescription: String { "\(command) \(segmentations.map(\.type))" }

    var data: Data {
        let (type, command) = commandBytes
        let size = isSized ? command.count : 0xFFF
        var bytes: [UInt8] = [0xFC, 0x30, 0, 0, isEncrypted ? 0x80 : 0, 0, 0, 0, 0, 0, 0xFF]
        bytes += [UInt8(size >> 8 & 15) | 0xF0, UInt8(size & 255), type] + command
        let descriptors = (otherDescriptors + segmentations.map { descriptor($0) }).flatMap(\.self)
        bytes += [UInt8(descriptors.count >> 8), UInt8(descriptors.count & 255)] + descriptors
        Self.setLength(of: &bytes)
        return Self.checked(bytes)
    }

    static func setLength(of bytes: inout [UInt8]) {
        let length = bytes.count - 3 + 4
        (bytes[1], bytes[2]) = (0x30 | UInt8(length >> 8 & 15), UInt8(length & 255))
    }

    /// Appends the checksum.
    static func checked(_ bytes: [UInt8]) -> Data {
        let sum = SpliceInfo.checksum(bytes)
        return Data(bytes + [24, 16, 8, 0].map { UInt8(sum >> $0 & 255) })
    }

    private static let time: [UInt8] = [0xFE, 0, 0, 0, 0]

    private static func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }

    private static func ticks(_ seconds: Double) -> [UInt8] {
        let ticks = UInt64(seconds * 90_000)
        return [32, 24, 16, 8, 0].map { UInt8(ticks >> $0 & 255) }
    }

    private var commandBytes: (type: UInt8, bytes: [UInt8]) {
        switch command {
        case .null: return (0, [])
        case .timeSignal: return (6, Self.time)
        case .cancelledInsert(let id): return (5, Self.number(id) + [0xFF])
        case .insert(let id, let isOut, let duration, let isImmediate, let components):
            let flags: [(Bool, UInt8)] = [
                (isOut, 0x80), (components == 0, 0x40), (duration != nil, 0x20), (isImmediate, 0x10),
            ]
            var bytes = Self.number(id) + [0x7F, flags.reduce(0x0F) { $1.0 ? $0 | $1.1 : $0 }]
            if components == 0, !isImmediate { bytes += Self.time }
            if components > 0 {
                bytes.append(UInt8(components))
                for _ in 0..<components { bytes += [1] + (isImmediate ? [] : Self.time) }
            }
            if let duration { bytes += [0xFE | Self.ticks(duration)[0]] + Self.ticks(duration)[1...] }
            return (5, bytes + [0, 1, 0, 0])
        }
    }

    private func descriptor(_ segmentation: Segmentation) -> [UInt8] {
        var bytes = Array("CUEI".utf8) + Self.number(segmentation.id) + [segmentation.isCancelled ? 0xFF : 0x7F]
        if !segmentation.isCancelled {
            bytes.append((segmentation.components == 0 ? 0x80 : 0) | (segmentation.duration == nil ? 0 : 0x40) | 0x3F)
            if segmentation.components > 0 {
                bytes.append(UInt8(segmentation.components))
                for _ in 0..<segmentation.components { bytes += [1, 0xFE, 0, 0, 0, 0] }
            }
            bytes += segmentation.duration.map { Self.ticks($0) } ?? []
            bytes += [0, 0, segmentation.type, 1, 1]
        }
        return [2, UInt8(bytes.count)] + bytes
    }
}
