/// Why an entry can't be used.
struct EntryRefusal: Error, Hashable {
    /// A sentence for people.
    let reason: String

    init(_ reason: String) { self.reason = reason }

    static let empty = Self("The entry is empty.")
    static let folder = Self("The entry is a folder.")
    static let localFile = Self("A playlist from a server can't name local files.")
    static let nested = Self("The entry is a playlist within a playlist.")
    static let notUTF8 = Self("The line is not in UTF-8.")
    static let otherMachine = Self("The file is on another machine.")
    static let tooLong = Self("The entry is too long.")
    static let unreadable = Self("This is not an address that can be read.")
    static let windowsPath = Self("The path is that of a Windows drive.")

    static func scheme(_ scheme: String) -> Self { Self("Addresses with \(scheme.prefix(20)): are not taken.") }
}
