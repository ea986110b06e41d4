import Foundation

/// The text of a fault or plan is invalid.
public struct FaultSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error and the correct form.
    public let description: String
}

extension FaultSyntaxError: LocalizedError {
    public var errorDescription: String? { description }
}

extension Fault: LosslessStringConvertible {
    /// Parses a fault such as `status=429,2`. Returns `nil` if the text is invalid.
    public init?(_ description: String) {
        guard let fault = try? Self.read(description) else { return nil }
        self = fault
    }

    static func read(_ text: String) throws(FaultSyntaxError) -> Fault {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let form = FaultForm.all.first(where: { $0.name == parts[0] }) else {
            throw FaultSyntaxError(description: "There is no fault \"\(parts[0])\".")
        }
        let values = parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
        guard let fault = form.make(values.map(String.init)) else {
            let examples = FaultCatalogue.entries.flatMap(\.plan.steps).map(\.fault.description)
            let example = examples.first { $0 == form.name || $0.hasPrefix(form.name + "=") }
            throw FaultSyntaxError(
                description: "\"\(text)\" is invalid. Write it as in \(example ?? form.name).")
        }
        return fault
    }

    /// The name, followed by `=` and its values, separated by commas. Sizes are in bytes, times in seconds. Reserved characters in
    /// addresses and types are percent-encoded.
    public var description: String {
        switch kind {
        case .none: "none"
        case .status(let code, let retryAfter): "status=\(code)" + (retryAfter.map { ",\($0)" } ?? "")
        case .refused: "refused"
        case .cut(let cut, let point): "\(cut.rawValue)-\(point.text)"
        case .late(let delay): "late=\(delay.text)"
        case .drip(let rate): "drip=\(rate)"
        case .outage(let bytes, let time): "outage=\(time.text)" + (bytes.map { ",\($0)" } ?? "")
        case .lengthTooLong(let bytes): "length-too-long=\(bytes)"
        case .lengthTooShort(let bytes): "length-too-short=\(bytes)"
        case .chunked: "chunked"
        case .unframed: "unframed"
        case .noRanges: "no-ranges"
        case .wrongRange(let bytes): "wrong-range=\(bytes)"
        case .redirect: "redirect"
        case .redirectLoop: "redirect-loop"
        case .redirectToFile: "redirect-to-file"
        case .redirectTo(let address): "redirect-to=\(address.encoded)"
        case .garbage: "garbage"
        case .empty: "empty"
        case .type(let type): "type=\(type.encoded)"
        case .expiresAfterRequests(let count): "expires-requests=\(count)"
        case .expiresAfterBytes(let count): "expires-bytes=\(count)"
        case .tls(.trusted): "tls"
        case .tls(.selfSigned): "tls-self-signed"
        case .tls(.expired): "tls-expired"
        case .tls(.otherHost): "tls-other-host"
        case .live(let window): "live=\(window)"
        case .endlessLive(let window): "live-endless=\(window)"
        case .stallingLive(let window, let time): "live-stalls=\(window),\(time.text)"
        case .duplicateSegment(let number): "duplicate-segment=\(number)"
        case .playlistToFile: "playlist-to-file"
        }
    }
}

extension Fault: Codable {
    /// - Throws: `DecodingError` for an invalid fault.
    public init(from decoder: any Decoder) throws {
        self = try decoder.decodeText(Self.read)
    }

    /// Encodes the fault as its `description`.
    public func encode(to encoder: any Encoder) throws { try encoder.encodeText(description) }
}

extension Fault.Point {
    fileprivate var text: String {
        switch place {
        case .beforeHeaders: "before-headers"
        case .afterHeaders: "after-headers"
        case .halfway: "mid-body"
        case .bytes(let count): "mid-body=\(count)"
        }
    }
}

extension Duration {
    /// The duration in seconds, without a fraction if it is whole.
    fileprivate var text: String {
        let value = inSeconds
        return value == value.rounded() && value < 1e15 ? "\(Int(value))" : "\(value)"
    }

    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

extension String {
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:;=&")

    fileprivate var encoded: String { addingPercentEncoding(withAllowedCharacters: Self.plain) ?? self }
}

extension Decoder {
    func decodeText<Value>(_ read: (String) throws -> Value) throws -> Value {
        let container = try singleValueContainer()
        do {
            return try read(try container.decode(String.self))
        } catch let error as FaultSyntaxError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }
}

extension Encoder {
    func encodeText(_ text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }
}
