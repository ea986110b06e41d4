/// What was left out of a playlist or ignored in it, and why.
public struct PlaylistProblem: Hashable, Sendable {
    /// Where it is in the list, from 1; `nil` if it concerns no line.
    public let line: Int?
    /// The beginning of what stands there, without credentials, queries and the values of options.
    public let entry: String
    /// One sentence for people.
    public let message: String
    /// Whether something is missing from the items because of it. Otherwise it is a notice.
    public let isSkipped: Bool

    private static let readLength = 16 << 10
    private static let shownLength = 200

    init(line: Int?, entry: String, message: String, isSkipped: Bool) {
        self.line = line
        // Cut last: a cut address may show what a whole one hides.
        self.entry = String(Self.redacted(String(entry.prefix(Self.readLength))).prefix(Self.shownLength))
        self.message = message
        self.isSkipped = isSkipped
    }

    /// What is no address that can be read may hold a password all the same, so this goes by the text alone.
    private static func redacted(_ entry: String) -> String {
        let entry = entry.withoutControls
        guard let slashes = entry.firstRange(of: "://") else { return entry }
        let rest = entry[slashes.upperBound...].prefix { !"?#|".contains($0) }
        let authority = rest.prefix { $0 != "/" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return String(entry[..<slashes.upperBound] + host + rest[authority.endIndex...])
    }
}

extension PlaylistProblem: CustomStringConvertible {
    /// `line 3: The path is that of a Windows drive. (C:\a.mp3)`
    public var description: String {
        [line.map { "line \($0):" }, message, entry.isEmpty ? nil : "(\(entry))"].compactMap(\.self)
            .joined(separator: " ")
    }
}

extension String {
    /// Control characters become spaces: what a list holds is printed to terminals.
    var withoutControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        var clean = UnicodeScalarView()
        clean.append(contentsOf: unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 })
        return String(clean)
    }
}
