import Foundation
import MediaTransport

/// A VAST document, version 2.0 to 4.2.
public struct VASTDocument: Codable, Hashable, Sendable {
    /// The largest document, in bytes.
    public static let largestSize = 2 << 20
    /// The largest number of advertisements of a document, and of a break.
    static let mostAds = 100
    /// The largest number of trackers of one kind, with those of wrappers.
    static let mostTrackers = 500
    /// The largest number of creatives of an advertisement.
    static let mostCreatives = 10
    /// The largest number of companions, icons or non-linear parts of a creative.
    static let mostParts = 20
    /// The largest number of media files of an advertisement.
    static let mostFiles = 50
    /// The longest address, in bytes. Servers accept hardly more.
    static let longestAddress = 8192

    /// The version, such as `4.2`.
    public var version: String
    /// The trackers of errors if there is no advertisement, with macros.
    public var errors: [String] = []
    /// The advertisements.
    public var ads: [VASTAd] = []

    /// - Parameter data: the document, in UTF-8.
    public init(_ data: Data) throws(VASTError) {
        guard data.count <= Self.largestSize, let root = MarkupElement(Array(data)) else { throw .notXML }
        try self.init(root)
    }

    init(_ root: MarkupElement) throws(VASTError) {
        guard root.name == "VAST", let version = root["version"] else { throw .invalidSchema }
        guard let major = version.split(separator: ".").first, ["2", "3", "4"].contains(major) else {
            throw .unsupportedVersion
        }
        self.version = version
        errors = root.addresses("Error")
        for element in root.children("Ad").prefix(Self.mostAds) {
            if let ad = VASTAd(element) { ads.append(ad) }
        }
    }
}

extension VASTAd {
    /// `nil` for an element without an advertisement.
    fileprivate init?(_ element: MarkupElement) {
        guard let body = element.first("InLine") ?? element.first("Wrapper") else { return nil }
        self.init()
        id = element["id"]
        sequence = element.number("sequence")
        type = element["adType"]
        isConditional = element["conditionalAd"]?.flag ?? false
        system = body.text("AdSystem")
        title = body.text("AdTitle")
        description = body.text("Description")
        advertiser = body.text("Advertiser")
        servingID = body.text("AdServingId")
        pricing = body.first("Pricing").map {
            Pricing(value: $0.trimmed, model: $0["model"], currency: $0["currency"])
        }
        categories = body.children("Category").map { Category(value: $0.trimmed, authority: $0["authority"]) }
        blockedCategories = body.children("BlockedAdCategories").map {
            Category(value: $0.trimmed, authority: $0["authority"])
        }
        surveys = body.addresses("Survey")
        expires = body.text("Expires").flatMap { Double($0) }.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        errors = body.addresses("Error")
        impressions = body.addresses("Impression")
        let views = body.first("ViewableImpression")
        viewable = views?.addresses("Viewable") ?? []
        notViewable = views?.addresses("NotViewable") ?? []
        viewUndetermined = views?.addresses("ViewUndetermined") ?? []
        extensions = (body.first("Extensions")?.children("Extension") ?? []).map { Extension($0) }
        verifications = Self.verifications(in: body)
        let elements = (body.first("Creatives")?.children("Creative") ?? []).prefix(VASTDocument.mostCreatives)
        do throws(VASTError) {
            creatives = try elements.map { (element) throws(VASTError) in try VASTCreative(element) }
        } catch {
            failure = error
        }
        guard body.name == "Wrapper" else { return }
        guard let address = body.addresses("VASTAdTagURI").first else {
            failure = .invalidSchema
            return
        }
        wrapper = Wrapper(
            address: address, followsWrappers: body["followAdditionalWrappers"]?.flag ?? true,
            allowsMultipleAds: body["allowMultipleAds"]?.flag ?? false,
            fallsBackOnNoAd: body["fallbackOnNoAd"]?.flag ?? false)
    }

    /// Until version 4.0, they are extensions.
    private static func verifications(in body: MarkupElement) -> [Verification] {
        let lists = [body] + (body.first("Extensions")?.children("Extension") ?? [])
        let elements = lists.flatMap { $0.first("AdVerifications")?.children("Verification") ?? [] }
        return elements.map { element in
            let trackers = element.tracking.filter { $0.event == "verificationNotExecuted" }
            return Verification(vendor: element["vendor"], notExecuted: trackers.map(\.address))
        }
    }
}

extension VASTAd.Extension {
    fileprivate init(_ element: MarkupElement) {
        let attributes = Dictionary(element.attributes.map { ($0.name, $0.value) }) { first, _ in first }
        self.init(
            name: element.name, attributes: attributes, text: element.trimmed,
            children: element.children.map { Self($0) })
    }
}

extension VASTCreative {
    fileprivate init(_ element: MarkupElement) throws(VASTError) {
        id = element["id"]
        adID = element["adId"] ?? element["AdID"]
        sequence = element.number("sequence")
        universalAdIDs = element.children("UniversalAdId").map {
            // Version 4.0 has the id in an attribute.
            UniversalAdID(registry: $0["idRegistry"], value: $0["idValue"] ?? $0.trimmed)
        }
        linear = try element.first("Linear").map { (element) throws(VASTError) in try VASTLinear(element) }
        let nonLinear = element.first("NonLinearAds")
        nonLinears = (nonLinear?.parts("NonLinear") ?? []).map { VASTNonLinear($0) }
        nonLinearTracking = nonLinear?.tracking ?? []
        requiredCompanions = element.first("CompanionAds")?["required"]?.lowercased()
        companions = (element.first("CompanionAds")?.parts("Companion") ?? []).map { VASTCompanion($0) }
        extensions = (element.first("CreativeExtensions")?.children("CreativeExtension") ?? []).map { .init($0) }
    }
}

extension VASTLinear {
    fileprivate init(_ element: MarkupElement) throws(VASTError) {
        if let text = element.text("Duration") {
            guard let seconds = text.clockTime else { throw .invalidSchema }
            // Servers that do not know the duration write zero.
            duration = seconds > 0 ? seconds : nil
        }
        skipOffset = element["skipoffset"].flatMap { VASTOffset($0) }
        let files = element.first("MediaFiles")
        mediaFiles = (files?.children("MediaFile") ?? []).prefix(VASTDocument.mostFiles).compactMap { MediaFile($0) }
        interactiveFrameworks = (files?.children("InteractiveCreativeFile") ?? []).map { $0["apiFramework"] ?? "" }
        adParameters = element.text("AdParameters")
        let clicks = element.first("VideoClicks")
        clickThrough = clicks?.addresses("ClickThrough").first
        clickTracking = clicks?.addresses("ClickTracking") ?? []
        tracking = element.tracking
        icons = (element.first("Icons")?.parts("Icon") ?? []).map { Icon($0) }
    }
}

extension VASTLinear.MediaFile {
    fileprivate init?(_ element: MarkupElement) {
        guard let url = element.trimmed.address else { return nil }
        self.init(
            url: url, type: (element["type"] ?? "").mediaType, isProgressive: element["delivery"] != "streaming",
            width: element.number("width"), height: element.number("height"),
            bitrate: element.number("bitrate") ?? element.number("maxBitrate"),
            apiFramework: element["apiFramework"].flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension VASTLinear.Icon {
    fileprivate init(_ element: MarkupElement) {
        let clicks = element.first("IconClicks")
        self.init(
            program: element["program"], width: element.number("width"), height: element.number("height"),
            x: element["xPosition"], y: element["yPosition"],
            offset: element["offset"].flatMap(\.clockTime), duration: element["duration"].flatMap(\.clockTime),
            resources: element.resources, clickThrough: clicks?.text("IconClickThrough")?.address,
            clickTracking: clicks?.addresses("IconClickTracking") ?? [],
            viewTracking: element.addresses("IconViewTracking"))
    }
}

extension VASTCompanion {
    fileprivate init(_ element: MarkupElement) {
        let views = element.tracking.filter { $0.event == "creativeView" }
        self.init(
            id: element["id"], width: element.number("width"), height: element.number("height"),
            slotID: element["adSlotId"] ?? element["adSlotID"],
            resources: element.resources, altText: element.text("AltText"),
            clickThrough: element.text("CompanionClickThrough")?.address,
            clickTracking: element.addresses("CompanionClickTracking"), viewTracking: views.map(\.address),
            expandedWidth: element.number("expandedWidth"), expandedHeight: element.number("expandedHeight"),
            apiFramework: element["apiFramework"], adParameters: element.text("AdParameters"))
    }
}

extension VASTNonLinear {
    fileprivate init(_ element: MarkupElement) {
        self.init(
            id: element["id"], width: element.number("width"), height: element.number("height"),
            minimumDuration: element["minSuggestedDuration"].flatMap(\.clockTime), resources: element.resources,
            clickThrough: element.text("NonLinearClickThrough")?.address,
            clickTracking: element.addresses("NonLinearClickTracking"),
            expandedWidth: element.number("expandedWidth"), expandedHeight: element.number("expandedHeight"),
            apiFramework: element["apiFramework"], adParameters: element.text("AdParameters"))
    }
}

extension VASTOffset {
    /// Reads `00:00:05`, `00:00:05.250` or `25%`.
    init?(_ text: String) {
        if let time = text.clockTime {
            self = .seconds(time)
            return
        }
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), (0...100).contains(number) else { return nil }
        self = .fraction(number / 100)
    }
}

extension String {
    /// The MIME type in lower case, without parameters such as `codecs`.
    fileprivate var mediaType: String {
        String(prefix { $0 != ";" }).trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    }

    /// `1` and `true` are `true`.
    fileprivate var flag: Bool { self == "true" || self == "1" }

    /// The seconds of `HH:MM:SS` or `HH:MM:SS.mmm`; `nil` if it is no such time.
    var clockTime: Double? {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        return text.count { $0 == ":" } == 2 ? text.clockSeconds : nil
    }

    /// `true` for the length of an address.
    var hasAddressLength: Bool { !isEmpty && utf8.count <= VASTDocument.longestAddress }

    /// The address without macros; `nil` if it is none.
    fileprivate var address: URL? {
        guard hasAddressLength, let url = AdMacros.url(self), url.scheme != nil else { return nil }
        return url
    }
}

extension MarkupElement {
    /// The text without white space around it.
    var trimmed: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// The value of an attribute; `nil` if it is no number above 0.
    fileprivate func number(_ attribute: String) -> Int? {
        guard let number = self[attribute].flatMap({ Int($0) }), number > 0 else { return nil }
        return number
    }

    /// The children of a name that the host shows.
    fileprivate func parts(_ name: String) -> [MarkupElement] { Array(children(name).prefix(VASTDocument.mostParts)) }

    /// The text of the first child of a name; `nil` if there is none or it is empty.
    func text(_ name: String) -> String? {
        guard let text = first(name)?.trimmed, !text.isEmpty else { return nil }
        return text
    }

    /// The addresses in the children of a name, with macros.
    func addresses(_ name: String) -> [String] {
        Array(children(name).lazy.map(\.trimmed).filter(\.hasAddressLength).prefix(VASTDocument.mostTrackers))
    }

    /// The trackers in `TrackingEvents`.
    var tracking: [VASTTracking] {
        let elements = (first("TrackingEvents")?.children("Tracking") ?? []).prefix(VASTDocument.mostTrackers)
        return elements.compactMap { element in
            let address = element.trimmed
            guard let event = element["event"], address.hasAddressLength else { return nil }
            return VASTTracking(event: event, address: address, offset: element["offset"].flatMap { VASTOffset($0) })
        }
    }

    fileprivate var resources: [VASTResource] {
        let files = children("StaticResource").compactMap { element in
            element.trimmed.address.map {
                VASTResource.file($0, type: (element["creativeType"] ?? "").mediaType)
            }
        }
        let pages = addresses("IFrameResource").compactMap { $0.address.map { VASTResource.page($0) } }
        return files + pages + children("HTMLResource").map { .html($0.trimmed) }
    }
}
