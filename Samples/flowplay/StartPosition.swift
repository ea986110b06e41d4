import ArgumentParser
import PlayerControls

/// A position as the user writes it: the argument of `--start`, or what is typed after the key `g`.
struct StartPosition: Equatable, CustomStringConvertible {
    let description: String
    private let place: Place

    private enum Place: Equatable {
        case seconds(Double)
        /// In `0...1`.
        case fraction(Double)
        /// In seconds.
        case beforeEnd(Double)
    }

    init(_ argument: String) throws {
        description = argument
        if let percent = argument.hasSuffix("%") ? Double(argument.dropLast()) : nil, (0...100).contains(percent) {
            place = .fraction(percent / 100)
        } else if argument.hasPrefix("-"), let seconds = Self.seconds(argument.dropFirst()) {
            place = .beforeEnd(seconds)
        } else if let seconds = Self.seconds(argument[...]) {
            place = .seconds(seconds)
        } else {
            throw ValidationError(
                "--start takes seconds (90), a time (1:30 or 1:02:03), a percentage (50%), or a time before the end (-10)."
            )
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
    var needsDuration: Bool { if case .seconds = place { false } else { true } }

    /// The position in seconds as far as it is known without the duration.
    var seconds: Double { if case .seconds(let seconds) = place { seconds } else { 0 } }

    /// The position in an item of that many seconds.
    func seconds(in duration: Double) -> Double {
        switch place {
        case .seconds(let seconds): seconds
        case .fraction(let fraction): duration * fraction
        case .beforeEnd(let seconds): max(0, duration - seconds)
        }
    }
}

/// Languages, as in `de,en`.
struct LanguageList: Equatable {
    let languages: [String]

    init(_ argument: String) {
        languages = argument.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty
        }
    }
}
