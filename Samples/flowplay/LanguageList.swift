import Foundation

/// Languages, as in `de,en`.
struct LanguageList: Equatable {
    let languages: [String]

    init(_ argument: String) {
        languages = argument.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty
        }
    }
}
