import Foundation

/// The colours of a terminal.
public enum TerminalColours: String, Hashable, Sendable, CaseIterable {
    /// 16 million colours.
    case trueColour
    /// The palette of 256 colours.
    case palette

    /// Finds the colours that a terminal announces in the environment.
    ///
    /// - Parameters:
    ///   - environment: the variables `NO_COLOR`, `TERM` and `COLORTERM`.
    ///   - isTerminal: `true` if the output is a terminal.
    /// - Throws: the reason why the terminal can show no video.
    public static func announced(
        by environment: [String: String], isTerminal: Bool
    ) throws(TerminalViewError) -> TerminalColours {
        guard isTerminal else { throw .noTerminal }
        guard environment["NO_COLOR", default: ""].isEmpty else { throw .noColour }
        let (term, colourTerm) = (environment["TERM", default: ""], environment["COLORTERM"])
        if term.isEmpty || term == "dumb" { throw .dumbTerminal }
        if colourTerm == "truecolor" || colourTerm == "24bit" || term.hasSuffix("-direct") { return .trueColour }
        guard term.contains("256") else { throw .fewColours }
        return .palette
    }

    /// Returns the colour as the terminal has it: the value itself, or the index of a similar colour in the palette.
    ///
    /// - Parameter rgb: red, green and blue, 8 bits each.
    func colour(_ rgb: UInt32) -> UInt32 {
        guard self == .palette else { return rgb }
        let (red, green, blue) = (rgb >> 16 & 0xFF, rgb >> 8 & 0xFF, rgb & 0xFF)
        let spread = max(red, green, blue) - min(red, green, blue)
        // 24 greys from 8 to 238, in steps of 10. Black and white are in the cube of colours.
        if spread < 12, (4...243).contains(green) { return min(255, 232 + (green - 3) / 10) }
        return 16 + 36 * Self.level(red) + 6 * Self.level(green) + Self.level(blue)
    }

    /// The nearest of the six levels of the palette: 0, 95, 135, 175, 215, 255.
    private static func level(_ value: UInt32) -> UInt32 {
        switch value {
        case ..<48: 0
        case ..<115: 1
        default: (value - 35) / 40
        }
    }
}

/// The reason why a terminal can show no video.
public enum TerminalViewError: Error, Hashable, Sendable, CaseIterable {
    /// The output is no terminal.
    case noTerminal
    /// The variable `NO_COLOR` is set.
    case noColour
    /// The terminal cannot move its cursor.
    case dumbTerminal
    /// The terminal has fewer than 256 colours.
    case fewColours
}

extension TerminalViewError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .noTerminal: "No video: the output is not a terminal. Run the program in a terminal."
        case .noColour: "No video in the terminal: NO_COLOR is set. Unset it."
        case .dumbTerminal:
            "No video in the terminal: TERM names no terminal that can place text. Use another terminal."
        case .fewColours:
            "No video in the terminal: it announces fewer than 256 colours. Set TERM=xterm-256color if it has more."
        }
    }
}
