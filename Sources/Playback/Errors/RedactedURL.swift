import Foundation

extension URL {
    /// This address as it may be shown and logged: without user, password, query and fragment.
    ///
    /// A local file is given as its path, since a `?` or `#` in a file's name is no query.
    public var redacted: String {
        if isFileURL { return path(percentEncoded: false) }
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return "\(scheme ?? "unknown"):"
        }
        components.user = nil
        components.password = nil
        components.query = nil
        components.fragment = nil
        return components.string ?? "\(scheme ?? "unknown"):"
    }
}

extension String {
    /// A copy whose addresses are redacted. An address ends at the next blank, because its query may contain anything
    /// else.
    var withRedactedAddresses: String {
        replacing(#/[A-Za-z][A-Za-z0-9+.\-]*:\/\/\S+/#) { match in
            let quote = match.output.suffix(1).filter { "'\">".contains($0) }
            return (URL(string: String(match.output.dropLast(quote.count)))?.redacted ?? "an address") + quote
        }
    }
}
