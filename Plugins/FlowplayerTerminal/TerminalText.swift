// Text as it appears in the cells of a terminal.

extension String {
    /// The number of a terminal's columns that the text covers.
    public var terminalColumns: Int { unicodeScalars.reduce(0) { $0 + $1.terminalColumns } }

    /// Returns the beginning of the text that fits, for one line of a terminal.
    ///
    /// Characters that a terminal or its user could take for something else are removed: control characters, line
    /// separators, and marks that change the direction of the text.
    ///
    /// - Parameter limit: the number of columns.
    public func cut(toTerminalColumns limit: Int) -> String {
        var (text, used) = ("", 0)
        for character in self {
            // A character may have any number of marks.
            let scalars = character.unicodeScalars.filter(\.isPrintable).prefix(8)
            let width = scalars.reduce(0) { $0 + $1.terminalColumns }
            guard used + width <= limit else { break }
            text.unicodeScalars.append(contentsOf: scalars)
            used += width
        }
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: true
        }
    }

    /// 2 for wide East Asian characters and emoji, 0 for combining marks, 1 for other characters.
    fileprivate var terminalColumns: Int {
        switch (properties.generalCategory, value) {
        case (.nonspacingMark, _), (.enclosingMark, _), (.format, _), (.control, _): 0
        case (_, 0x1100...0x115F), (_, 0x2E80...0xA4CF), (_, 0xAC00...0xD7A3), (_, 0xF900...0xFAFF),
            (_, 0xFE30...0xFE6F), (_, 0xFF00...0xFF60), (_, 0xFFE0...0xFFE6), (_, 0x1F300...0x1FAFF),
            (_, 0x20000...0x3FFFD):
            2
        default: 1
        }
    }
}
