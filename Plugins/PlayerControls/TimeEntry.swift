/// A position that the user types, as in `1:30`, `90` or `50%`.
struct TimeEntry: Equatable {
    enum Step: Equatable {
        case typing, cancelled
        /// The user has pressed Enter.
        case finished(String)
    }

    private static let characters = "0123456789:.%-"
    private static let longest = 12

    private(set) var text = ""

    /// The line that shows what is typed.
    var prompt: String { "Go to 1:30, 90 or 50%: \(text)_" }

    mutating func press(_ key: ControlsKey) -> Step {
        switch key {
        case .escape: return .cancelled
        case .enter: return text.isEmpty ? .cancelled : .finished(text)
        case .backspace: text = String(text.dropLast())
        case .character(let character) where Self.characters.contains(character) && text.count < Self.longest:
            text.append(character)
        default: break
        }
        return .typing
    }
}

/// A position as users write it: seconds (`90`), a time (`1:30`, `1:02:03`), a percentage (`50%`), or a time before the end (`-10`).
package struct WrittenPosition: Equatable, CustomStringConvertible {
    package let description: String
    private let place: Place

    private enum Place: Equatable {
        case seconds(Double)
        /// In `0...1`.
        case fraction(Double)
        /// In seconds.
        case beforeEnd(Double)
    }

    /// Reads a text. Returns `nil` if it has none of the forms.
    package init?(_ text: String) {
        description = text
        if let percent = text.hasSuffix("%") ? Double(text.dropLast()) : nil, (0...100).contains(percent) {
            place = .fraction(percent / 100)
        } else if text.hasPrefix("-"), let seconds = Self.seconds(text.dropFirst()) {
            place = .beforeEnd(seconds)
        } else if let seconds = Self.seconds(text[...]) {
            place = .seconds(seconds)
        } else {
            return nil
        }
    }

    /// Reads seconds, minutes and seconds, or hours, minutes and seconds.
    private static func seconds(_ text: Substring) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }
        guard numbers.count == parts.count, numbers.count <= 3, numbers.allSatisfy({ $0.isFinite && $0 >= 0 }),
            numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        return numbers.reduce(0) { $0 * 60 + $1 }
    }

    /// `true` if the place is known only with the duration.
    package var needsDuration: Bool { if case .seconds = place { false } else { true } }

    /// The position in seconds as far as it is known without the duration.
    package var seconds: Double { if case .seconds(let seconds) = place { seconds } else { 0 } }

    /// The position in an item of that many seconds.
    package func seconds(in duration: Double) -> Double {
        switch place {
        case .seconds(let seconds): seconds
        case .fraction(let fraction): duration * fraction
        case .beforeEnd(let seconds): max(0, duration - seconds)
        }
    }
}
