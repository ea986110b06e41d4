import Foundation

/// The text of a fault or plan is invalid.
public struct FaultSyntaxError: LocalizedError, Hashable, CustomStringConvertible {
    /// The error and the correct form.
    public let description: String
    public var errorDescription: String? { description }
}

extension Fault: LosslessStringConvertible {
    /// Parses a fault such as `status=429,2`. Returns `nil` if the text is invalid.
    public init?(_ description: String) { try? self.init(parsing: description) }

    init(parsing text: String) throws(FaultSyntaxError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let values = parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
        if let kind = Self.kind(parts[0], values.map(String.init)) {
            self.init(kind)
            return
        }
        let examples = FaultCatalogue.entries.flatMap(\.plan.steps).map(\.fault.description)
        guard let example = examples.first(where: { $0 == parts[0] || $0.hasPrefix(parts[0] + "=") }) else {
            throw FaultSyntaxError(description: "There is no fault \"\(parts[0])\".")
        }
        throw FaultSyntaxError(description: "\"\(text)\" is invalid. Write it as in \(example).")
    }

    /// The name, followed by `=` and its values, separated by commas. Sizes are in bytes, times in seconds. Reserved characters in
    /// addresses and types are percent-encoded.
    public var description: String {
        switch kind {
        case .plain(let name): name.rawValue
        case .number(let name, let value): "\(name.rawValue)=\(value)"
        case .status(let code, let retryAfter): "status=\(code)" + (retryAfter.map { ",\($0)" } ?? "")
        case .cut(let cut, let point): "\(cut.rawValue)-\(point.text)"
        case .late(let delay): "late=\(delay.text)"
        case .outage(let bytes, let time): "outage=\(time.text)" + (bytes.map { ",\($0)" } ?? "")
        case .redirectTo(let address): "redirect-to=\(address.encoded)"
        case .type(let type): "type=\(type.encoded)"
        case .tls(let certificate): certificate.text
        case .stallingLive(let window, let time): "live-stalls=\(window),\(time.text)"
        }
    }
}

extension Fault {
    /// Returns `nil` if there is no such fault, or if the number or type of its values is wrong.
    private static func kind(_ name: String, _ values: [String]) -> Kind? {
        if values.isEmpty, let plain = Plain(rawValue: name) { return .plain(plain) }
        if values.isEmpty, let certificate = TLSCertificate.allCases.first(where: { $0.text == name }) {
            return .tls(certificate)
        }
        if values.count == 1, let number = Number(rawValue: name) {
            return natural(values[0]).flatMap { number.range.contains($0) ? .number(number, $0) : nil }
        }
        for cut in Cut.allCases where name.hasPrefix(cut.rawValue + "-") {
            return Point(name.dropFirst(cut.rawValue.count + 1), values).map { .cut(cut, $0) }
        }
        switch (name, values.count) {
        case ("status", 1...2):
            guard let code = natural(values[0]), (200...599).contains(code) else { return nil }
            if values.count == 1 { return .status(code, retryAfter: nil) }
            return natural(values[1]).map { .status(code, retryAfter: $0) }
        case ("late", 1): return seconds(values[0]).map { .late($0) }
        case ("outage", 1): return seconds(values[0]).map { .outage(nil, $0) }
        case ("outage", 2):
            guard let time = seconds(values[0]), let bytes = natural(values[1]) else { return nil }
            return .outage(bytes, time)
        case ("redirect-to", 1): return values[0].removingPercentEncoding.map { .redirectTo($0) }
        case ("type", 1): return values[0].removingPercentEncoding.map { .type($0) }
        case ("live-stalls", 2):
            guard let window = positive(values[0]), window <= Fault.largestWindow, let time = seconds(values[1])
            else { return nil }
            return .stallingLive(window, time)
        default: return nil
        }
    }

    /// Returns the duration in whole microseconds, so that its text form is exact.
    private static func seconds(_ text: String) -> Duration? {
        Double(text).flatMap { (0...1e6).contains($0) ? .microseconds(Int(($0 * 1e6).rounded())) : nil }
    }
}

func natural(_ text: some StringProtocol) -> Int? { Int(text).flatMap { $0 >= 0 ? $0 : nil } }
func positive(_ text: some StringProtocol) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

extension Fault: Codable {
    /// - Throws: `DecodingError` for an invalid fault.
    public init(from decoder: any Decoder) throws { self = try decoder.parse(Self.init(parsing:)) }

    /// Encodes the fault as its `description`.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Decoder {
    func parse<Value>(_ parse: (String) throws(FaultSyntaxError) -> Value) throws -> Value {
        let text = try String(from: self)
        do {
            return try parse(text)
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: error.description))
        }
    }
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

    fileprivate init?(_ name: Substring, _ values: [String]) {
        switch (name, values.count) {
        case ("before-headers", 0): self = .beforeHeaders
        case ("after-headers", 0): self = .afterHeaders
        case ("mid-body", 0): self = .midBody
        case ("mid-body", 1):
            guard let count = natural(values[0]) else { return nil }
            self = .midBody(after: count)
        default: return nil
        }
    }
}

extension TLSCertificate {
    fileprivate var text: String {
        switch self {
        case .trusted: "tls"
        case .selfSigned: "tls-self-signed"
        case .expired: "tls-expired"
        case .otherHost: "tls-other-host"
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
