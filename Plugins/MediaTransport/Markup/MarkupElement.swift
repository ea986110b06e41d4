import Foundation

/// An element of an XML document.
///
/// Manifests and advertisements are read as a tree.
package struct MarkupElement: Sendable {
    /// The name without its prefix.
    package let name: String
    /// The attributes, whose names have their prefixes.
    package private(set) var attributes: [(name: String, value: String)] = []
    package private(set) var children: [MarkupElement] = []
    /// The text directly in the element.
    package private(set) var text = ""

    package subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    package func children(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

    package func first(_ name: String) -> MarkupElement? { children.first { $0.name == name } }

    private init(name: String) { self.name = name }

    /// The deepest nesting of elements.
    static let deepest = 32
    /// The largest number of elements.
    static let mostElements = 100_000

    /// Reads a document in UTF-8. Returns `nil` if it is damaged, beyond the limits, or not of the kind.
    ///
    /// - Parameter root: the name of its root; `nil` for any.
    package init?(_ document: [UInt8], root: String? = nil) {
        var parser = MarkupParser(document)
        var open: [MarkupElement] = []
        var count = 0
        while let token = try? parser.next() {
            switch token {
            case .text(let text): open.isEmpty ? () : open[open.count - 1].text.append(text)
            case .start(let name, let attributes, let isEmpty):
                count += 1
                guard count <= Self.mostElements, open.count < Self.deepest else { return nil }
                var element = MarkupElement(name: MarkupParser.plain(name))
                element.attributes = attributes
                open.append(element)
                guard root == nil || open[0].name == root else { return nil }
                guard isEmpty else { continue }
                if open.count == 1 {
                    self = element
                    return
                }
                open.removeLast()
                open[open.count - 1].children.append(element)
            case .end(let name):
                guard let element = open.popLast(), element.name == MarkupParser.plain(name) else { return nil }
                if open.isEmpty {
                    self = element
                    return
                }
                open[open.count - 1].children.append(element)
            }
        }
        return nil
    }
}
