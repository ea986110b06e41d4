/// The colours of half blocks on a screen, decoded from text with escape sequences.
public struct TerminalCells: Equatable, CustomStringConvertible {
    /// The upper and the lower colour of a cell, as `#rrggbb`, as the index of a palette, or `-` for none.
    public struct Cell: Hashable, Sendable {
        public let top: String
        public let bottom: String

        public init(_ top: String, _ bottom: String) {
            self.top = top
            self.bottom = bottom
        }
    }

    /// Rows from the top.
    public private(set) var rows: [[Cell]] = []

    /// Decodes lines with colours. Blocks (▀) and spaces are cells; other characters have no colours.
    public init(_ text: String) {
        var (foreground, background) = ("-", "-")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var row: [Cell] = []
            var rest = Substring(line)
            while let character = rest.popFirst() {
                guard character == "\u{1B}" else {
                    row.append(
                        character == "▀"
                            ? Cell(foreground, background)
                            : character == " " ? Cell(background, background) : Cell("?", "?"))
                    continue
                }
                let end = rest.firstIndex { $0.isLetter } ?? rest.endIndex
                guard end < rest.endIndex else { break }
                let codes = rest[..<end].dropFirst().split(separator: ";", omittingEmptySubsequences: false)
                if rest[end] == "m" { Self.apply(codes.map { Int($0) ?? 0 }[...], &foreground, &background) }
                rest = rest[end...].dropFirst()
            }
            rows.append(row)
        }
    }

    private static func apply(_ codes: ArraySlice<Int>, _ foreground: inout String, _ background: inout String) {
        var codes = codes
        while let code = codes.popFirst() {
            switch code {
            case 0: (foreground, background) = ("-", "-")
            case 39: foreground = "-"
            case 49: background = "-"
            // Black as one of the 16 colours, which tmux prefers.
            case 40...47: background = "\(code - 40)"
            case 38, 48:
                var colour = "?"
                if codes.popFirst() == 5 {
                    colour = codes.popFirst().map { "\($0)" } ?? "?"
                } else if codes.count >= 3 {
                    colour = "#" + codes.prefix(3).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                    codes = codes.dropFirst(3)
                }
                if code == 38 { foreground = colour } else { background = colour }
            default: break
            }
        }
    }

    public var description: String {
        rows.map { $0.map { "\($0.top)/\($0.bottom)" }.joined(separator: " ") }.joined(separator: "\n")
    }
}
