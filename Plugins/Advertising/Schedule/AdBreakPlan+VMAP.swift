import Foundation
import MediaTransport

extension AdBreakPlan {
    /// The largest number of breaks of a schedule.
    static let mostBreaks = 500

    /// Reads a schedule: a VMAP 1.0 document, or a VAST document, which is one break at the start.
    ///
    /// - Parameters:
    ///   - data: the document, in UTF-8.
    ///   - url: the address of the document.
    static func plans(in data: Data, at url: URL? = nil) throws(VASTError) -> [AdBreakPlan] {
        guard data.count <= VASTDocument.largestSize, let root = MarkupElement(Array(data)) else { throw .notXML }
        var plans: [AdBreakPlan] = []
        if root.name == "VMAP" {
            guard root["version"]?.hasPrefix("1.") == true else { throw .unsupportedVersion }
            plans = root.children("AdBreak").prefix(mostBreaks).compactMap { AdBreakPlan($0) }.flatMap(
                \.withRepetitions)
        } else {
            plans = [AdBreakPlan(position: .start, sources: [.document(try VASTDocument(root))])]
        }
        for index in plans.indices { plans[index].origin = url }
        return plans
    }

    /// The repetitions of a break at the start are breaks in the item.
    private var withRepetitions: [AdBreakPlan] {
        guard isAtStart, let repeatsAfter else { return [self] }
        var (first, others) = (self, self)
        first.repeatsAfter = nil
        others.position = .time(.seconds(repeatsAfter))
        return [first, others]
    }

    /// `nil` for a break that is not linear, or whose position is invalid.
    private init?(_ element: MarkupElement) {
        let types = (element["breakType"] ?? "linear").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard types.contains("linear"), let position = element["timeOffset"].flatMap({ Position($0) }) else {
            return nil
        }
        self.init(position: position, sources: [])
        id = element["breakId"]
        repeatsAfter = element["repeatAfter"].flatMap(\.clockTime).flatMap { $0 > 0 ? $0 : nil }
        tracking = element.tracking
        guard let source = element.first("AdSource") else { return }
        allowsMultipleAds = !["false", "0"].contains(source["allowMultipleAds"])
        followsRedirects = !["false", "0"].contains(source["followRedirects"])
        // The old name is that of drafts, which servers still send.
        if let document = (source.first("VASTAdData") ?? source.first("VASTData"))?.first("VAST") {
            do throws(VASTError) {
                sources = [.document(try VASTDocument(document))]
            } catch {
                sources = [.failed(error)]
            }
        } else if let address = source.addresses("AdTagURI").first {
            sources = [.address(address)]
        } else {
            sources = [.failed(.invalidSchema)]
        }
    }
}

extension AdBreakPlan.Position {
    /// Reads `start`, `end`, `00:10:00` or `50%`. The n-th break that the item itself has, such as `#2`, is not known.
    fileprivate init?(_ text: String) {
        switch text.trimmingCharacters(in: .whitespacesAndNewlines) {
        case "start": self = .start
        case "end": self = .end
        case let text:
            guard let offset = VASTOffset(text) else { return nil }
            self = .time(offset)
        }
    }
}
