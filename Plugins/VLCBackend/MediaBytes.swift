/// The bytes of a medium, for a reader that does not care where they come from.
protocol MediaBytes: Sendable {
    /// Begins to read; `nil` if there is nothing to be read. May wait. Called on the reader's thread, once for each reader.
    func open() -> (any MediaReader)?
}

/// Reads from one place to the next. Used by one thread at a time.
protocol MediaReader: AnyObject {
    /// In bytes; `nil` if it is not known.
    var size: UInt64? { get }
    /// Fills what it can of the buffer, and says how much that is: 0 at the end, `nil` if reading fails. May wait.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?
    /// Whether the next byte read is the one at the offset.
    func seek(to offset: UInt64) -> Bool
}
