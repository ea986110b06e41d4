import Foundation

extension URL {
    /// The address for logs and messages, without user, password, query and fragment.
    ///
    /// A local file is returned as its path, since a `?` or `#` in a file name does not start a query.
    public var redacted: String {
        if isFileURL { return path(percentEncoded: false) }
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        components?.query = nil
        components?.fragment = nil
        return components?.string ?? "\(scheme ?? "unknown"):"
    }
}

extension String {
    /// The text with all addresses redacted. An address ends at the next blank, since any other character may be part of its query.
    var withRedactedAddresses: String {
        replacing(#/[A-Za-z][A-Za-z0-9+.\-]*:\/\/\S+/#) { match in
            let quote = match.output.suffix(1).filter { "'\">".contains($0) }
            return (URL(string: String(match.output.dropLast(quote.count)))?.redacted ?? "an address") + quote
        }
    }
}
