import Foundation

/// Finds places in a line of JSON, since Foundation's decoder does not say where it stumbled.
struct JSONLocator {
    private let bytes: [UInt8]

    init(_ line: Data) { bytes = [UInt8](line) }

    /// The column, from 1, of the first byte at which the line stops being the beginning of a JSON object.
    var firstFault: Int {
        var scanner = Scanner(bytes: bytes)
        do {
            try scanner.expect(UInt8(ascii: "{"))
            scanner.position = 0
            try scanner.value { _, _ in }
            scanner.skipSpace()
            return scanner.position + 1
        } catch {
            return scanner.position + 1
        }
    }

    /// The column, from 1, of the value at a path of keys; of the innermost that is there, else 1.
    func column(ofValueFor path: [any CodingKey]) -> Int {
        let wanted = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
        var best = (depth: 0, position: 0)
        var scanner = Scanner(bytes: bytes)
        try? scanner.value { found, position in
            if found.count > best.depth, found.elementsEqual(wanted.prefix(found.count)) {
                best = (found.count, position)
            }
        }
        return best.position + 1
    }

    /// Walks over JSON by its grammar (RFC 8259) and tells where each value begins.
    private struct Scanner {
        struct Fault: Error {}

        let bytes: [UInt8]
        var position = 0
        private var path: [String] = []
        /// As deep as Foundation's decoder goes.
        private static let deepest = 512

        init(bytes: [UInt8]) { self.bytes = bytes }

        private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func skipSpace() {
            while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
        }

        mutating func expect(_ byte: UInt8) throws {
            skipSpace()
            guard current == byte else { throw Fault() }
            position += 1
        }

        mutating func value(_ visit: ([String], Int) -> Void) throws {
            skipSpace()
            visit(path, position)
            switch current {
            case UInt8(ascii: "{"):
                try sequence(until: UInt8(ascii: "}")) { scanner, _ in
                    let key = try scanner.string()
                    try scanner.expect(UInt8(ascii: ":"))
                    try scanner.nested(key, visit)
                }
            case UInt8(ascii: "["):
                try sequence(until: UInt8(ascii: "]")) { scanner, index in try scanner.nested("\(index)", visit) }
            case UInt8(ascii: "\""): _ = try string()
            case UInt8(ascii: "t"): try word("true")
            case UInt8(ascii: "f"): try word("false")
            case UInt8(ascii: "n"): try word("null")
            default: try number()
            }
        }

        private mutating func nested(_ key: String, _ visit: ([String], Int) -> Void) throws {
            guard path.count < Self.deepest else { throw Fault() }
            path.append(key)
            try value(visit)
            path.removeLast()
        }

        private mutating func sequence(until end: UInt8, _ element: (inout Scanner, Int) throws -> Void) throws {
            position += 1
            skipSpace()
            var index = 0
            while current != end {
                if index > 0 { try expect(UInt8(ascii: ",")) }
                try element(&self, index)
                index += 1
                skipSpace()
            }
            position += 1
        }

        private mutating func string() throws -> String {
            try expect(UInt8(ascii: "\""))
            let start = position
            while let byte = current, byte != UInt8(ascii: "\"") {
                guard byte >= 0x20 else { throw Fault() }
                position += byte == UInt8(ascii: "\\") ? 2 : 1
            }
            guard current != nil else {
                position = bytes.count
                throw Fault()
            }
            defer { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        private mutating func word(_ word: String) throws {
            for byte in word.utf8 {
                guard current == byte else { throw Fault() }
                position += 1
            }
        }

        private mutating func number() throws {
            let start = position
            while let byte = current, Character(UnicodeScalar(byte)).isNumber || "+-.eE".utf8.contains(byte) {
                position += 1
            }
            guard position > start else { throw Fault() }
        }
    }
}
