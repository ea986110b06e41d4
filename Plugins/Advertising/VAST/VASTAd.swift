import Foundation

/// One advertisement of a VAST document: the advertisement itself, or a wrapper that leads to another document.
///
/// Addresses of trackers are strings, because they contain macros such as `[CACHEBUSTING]`.
public struct VASTAd: Codable, Hashable, Sendable {
    /// A wrapper.
    public struct Wrapper: Codable, Hashable, Sendable {
        /// The address of the next document, with macros.
        public var address: String
        /// `false` if the next document may be no wrapper.
        public var followsWrappers = true
        /// `true` if a pod or several advertisements of the next document may play.
        public var allowsMultipleAds = false
        /// `true` if another advertisement of this document replaces one that is missing.
        public var fallsBackOnNoAd = false
    }

    /// The price of an impression.
    public struct Pricing: Codable, Hashable, Sendable {
        /// The price, as the document writes it.
        public var value: String
        /// The model, such as `cpm`.
        public var model: String?
        /// The currency, such as `EUR`.
        public var currency: String?
    }

    /// A category of the advertisement.
    public struct Category: Codable, Hashable, Sendable {
        /// The code or the name of the category.
        public var value: String
        /// The address of the list that the category is from.
        public var authority: String?
    }

    /// A program that verifies that the advertisement is seen. It is not executed.
    public struct Verification: Codable, Hashable, Sendable {
        /// The vendor's name.
        public var vendor: String?
        /// The trackers of `verificationNotExecuted`, with macros.
        public var notExecuted: [String]
    }

    /// An extension of the document, unchanged.
    public struct Extension: Codable, Hashable, Sendable {
        /// The name of the element without its prefix.
        public var name: String
        /// The attributes.
        public var attributes: [String: String]
        /// The text directly in the element, without white space around it.
        public var text: String
        /// The elements in it.
        public var children: [Extension]
    }

    /// The id at the ad server.
    public var id: String?
    /// The position in its pod, from 1; `nil` outside of a pod.
    public var sequence: Int?
    /// The type, such as `video` or `audio`.
    public var type: String?
    /// `true` if the advertisement decides itself if it plays. Such advertisements are rejected.
    public var isConditional = false
    /// The ad server.
    public var system: String?
    /// The title.
    public var title: String?
    /// The description.
    public var description: String?
    /// The advertiser.
    public var advertiser: String?
    /// The id for all requests of one delivery.
    public var servingID: String?
    /// The price.
    public var pricing: Pricing?
    /// The categories.
    public var categories: [Category] = []
    /// The categories that a wrapper blocks.
    public var blockedCategories: [Category] = []
    /// The addresses of surveys.
    public var surveys: [String] = []
    /// The time for which the document may be kept, in seconds.
    public var expires: Double?
    /// The trackers of errors, with macros.
    public var errors: [String] = []
    /// The trackers of impressions, with macros.
    public var impressions: [String] = []
    /// The trackers of a visible impression.
    public var viewable: [String] = []
    /// The trackers of an impression that nobody can see.
    public var notViewable: [String] = []
    /// The trackers of an impression of which that is not known.
    public var viewUndetermined: [String] = []
    /// The parts of the advertisement.
    public var creatives: [VASTCreative] = []
    /// The programs that verify it.
    public var verifications: [Verification] = []
    /// Extensions of the ad server.
    public var extensions: [Extension] = []
    /// The next document; `nil` for an advertisement itself.
    public var wrapper: Wrapper?
    /// The reason why it cannot be played, although the rest of its document is valid; `nil` for a valid advertisement.
    public var failure: VASTError?
    /// The address of the document; `nil` if it is part of the schedule.
    var origin: URL?

    /// The linear part, which plays in the place of the item.
    public var linear: VASTLinear? { creatives.lazy.compactMap(\.linear).first }

    /// The creative with the linear part.
    public var linearCreative: VASTCreative? { creatives.first { $0.linear != nil } }

    /// The types of this SDK's versions of VAST.
    static let knownTypes: Set<String> = ["video", "audio", "hybrid"]

    /// `true` if it must not play without its companions.
    var requiresCompanions: Bool { creatives.contains { ["all", "any"].contains($0.requiredCompanions) } }

    /// `true` if an advertisement counts when it is heard. Others count when they are seen.
    var countsWhenHeard: Bool { ["audio", "hybrid"].contains(type?.lowercased()) }

    /// The images beside the video.
    public var companions: [VASTCompanion] { creatives.flatMap(\.companions) }

    /// The images above the video.
    public var nonLinears: [VASTNonLinear] { creatives.flatMap(\.nonLinears) }
}

extension VASTAd {
    /// Replaces the addresses of the pages and images that the host shows. Those without a replacement are removed.
    func replacingAddresses(_ replacement: (String) -> URL?) -> VASTAd {
        var ad = self
        ad.surveys = surveys.filter { replacement($0) != nil }
        ad.creatives = creatives.map { creative in
            var creative = creative
            creative.companions = creative.companions.map { $0.replacingAddresses(replacement) }
            creative.nonLinears = creative.nonLinears.map { $0.replacingAddresses(replacement) }
            let icons = creative.linear?.icons ?? []
            creative.linear?.icons = icons.map { $0.replacingAddresses(replacement) }
            if creative.linear?.clickThrough.flatMap(replacement) == nil { creative.linear?.clickThrough = nil }
            return creative
        }
        return ad
    }
}

/// A part of an advertisement that the host shows.
private protocol ShownPart {
    var resources: [VASTResource] { get set }
    var clickThrough: URL? { get set }
}

extension VASTCompanion: ShownPart {}
extension VASTNonLinear: ShownPart {}
extension VASTLinear.Icon: ShownPart {}

extension ShownPart {
    fileprivate func replacingAddresses(_ replacement: (String) -> URL?) -> Self {
        var part = self
        part.clickThrough = clickThrough.flatMap { replacement($0.absoluteString) }
        part.resources = resources.compactMap { resource in
            switch resource {
            case .file(let url, let type): replacement(url.absoluteString).map { .file($0, type: type) }
            case .page(let url): replacement(url.absoluteString).map { .page($0) }
            case .html: resource
            }
        }
        return part
    }
}

/// A tracker.
public struct VASTTracking: Codable, Hashable, Sendable {
    /// The name of the event, such as `firstQuartile`.
    public var event: String
    /// The address, with macros.
    public var address: String
    /// The position of the event `progress`.
    public var offset: VASTOffset?
}

/// A position in an advertisement or an item.
public enum VASTOffset: Codable, Hashable, Sendable {
    /// In seconds.
    case seconds(Double)
    /// A fraction of the duration, in `0...1`.
    case fraction(Double)

    /// The position in seconds; `nil` for a fraction of an unknown duration.
    public func seconds(of duration: Double?) -> Double? {
        switch self {
        case .seconds(let seconds): seconds
        case .fraction(let fraction): duration.map { $0 * fraction }
        }
    }
}

/// One creative of an advertisement.
public struct VASTCreative: Codable, Hashable, Sendable {
    /// The id of the creative in a registry.
    public struct UniversalAdID: Codable, Hashable, Sendable {
        /// The registry.
        public var registry: String?
        /// The id.
        public var value: String
    }

    /// The id at the ad server.
    public var id: String?
    /// The id of the advertisement to which the creative belongs.
    public var adID: String?
    /// The position among the creatives.
    public var sequence: Int?
    /// The ids in registries.
    public var universalAdIDs: [UniversalAdID] = []
    /// The linear part.
    public var linear: VASTLinear?
    /// The images above the video.
    public var nonLinears: [VASTNonLinear] = []
    /// The images beside the video.
    public var companions: [VASTCompanion] = []
    /// `all`, `any` or `none`: how many of the companions must be shown, if the document says so.
    public var requiredCompanions: String?
    /// The trackers of the non-linear parts.
    public var nonLinearTracking: [VASTTracking] = []
    /// Extensions of the creative.
    public var extensions: [VASTAd.Extension] = []
}

/// The part that plays in the place of the item.
public struct VASTLinear: Codable, Hashable, Sendable {
    /// One file of the same advertisement.
    public struct MediaFile: Codable, Hashable, Sendable {
        /// The address.
        public var url: URL
        /// The MIME type, in lower case.
        public var type: String
        /// `true` for a file that is played while it is loaded in order (`progressive`).
        public var isProgressive: Bool
        /// The width in pixels.
        public var width: Int?
        /// The height in pixels.
        public var height: Int?
        /// The average bit rate, in kbit/s.
        public var bitrate: Int?
        /// The name of the interface, such as `VPAID`, if the file is a program.
        public var apiFramework: String?
    }

    /// A small image above the video, such as the sign for personalised advertisements.
    public struct Icon: Codable, Hashable, Sendable {
        /// The program that the icon stands for.
        public var program: String?
        /// The width in pixels.
        public var width: Int?
        /// The height in pixels.
        public var height: Int?
        /// `left`, `right` or pixels from the left.
        public var x: String?
        /// `top`, `bottom` or pixels from the top.
        public var y: String?
        /// The position from which the icon is shown, in seconds.
        public var offset: Double?
        /// The time for which it is shown, in seconds; `nil` to the end.
        public var duration: Double?
        /// The image, page or HTML.
        public var resources: [VASTResource]
        /// The address that a click opens.
        public var clickThrough: URL?
        /// The trackers of a click.
        public var clickTracking: [String]
        /// The trackers of the icon being shown.
        public var viewTracking: [String]
    }

    /// The duration that the document says, in seconds.
    public var duration: Double?
    /// The position from which the viewer may skip; `nil` if the advertisement cannot be skipped.
    public var skipOffset: VASTOffset?
    /// The files. All show the same.
    public var mediaFiles: [MediaFile] = []
    /// The interfaces of interactive parts, such as `SIMID`. They are not executed.
    public var interactiveFrameworks: [String] = []
    /// Data for the file, if it is a program.
    public var adParameters: String?
    /// The address that a click opens, with macros.
    public var clickThrough: String?
    /// The trackers of a click.
    public var clickTracking: [String] = []
    /// The trackers.
    public var tracking: [VASTTracking] = []
    /// The icons.
    public var icons: [Icon] = []
}

/// The content of an image.
public enum VASTResource: Codable, Hashable, Sendable {
    /// An image or script of this MIME type.
    case file(URL, type: String)
    /// A page.
    case page(URL)
    /// HTML.
    case html(String)
}

/// An image beside the video. The host shows it.
public struct VASTCompanion: Codable, Hashable, Sendable {
    /// The id.
    public var id: String?
    /// The width in pixels.
    public var width: Int?
    /// The height in pixels.
    public var height: Int?
    /// The name of its place in the page.
    public var slotID: String?
    /// The image, page or HTML.
    public var resources: [VASTResource]
    /// The text for screen readers.
    public var altText: String?
    /// The address that a click opens.
    public var clickThrough: URL?
    /// The trackers of a click.
    public var clickTracking: [String]
    /// The trackers of the companion being shown.
    public var viewTracking: [String]
    /// The width after the viewer has enlarged it, in pixels.
    public var expandedWidth: Int?
    /// The height after the viewer has enlarged it, in pixels.
    public var expandedHeight: Int?
    /// The name of the interface, if it is a program.
    public var apiFramework: String?
    /// Data for the program.
    public var adParameters: String?
}

/// An image above the video.
public struct VASTNonLinear: Codable, Hashable, Sendable {
    /// The id.
    public var id: String?
    /// The width in pixels.
    public var width: Int?
    /// The height in pixels.
    public var height: Int?
    /// The shortest time for which it is shown, in seconds.
    public var minimumDuration: Double?
    /// The image, page or HTML.
    public var resources: [VASTResource]
    /// The address that a click opens.
    public var clickThrough: URL?
    /// The trackers of a click.
    public var clickTracking: [String]
    /// The width after the viewer has enlarged it, in pixels.
    public var expandedWidth: Int?
    /// The height after the viewer has enlarged it, in pixels.
    public var expandedHeight: Int?
    /// The name of the interface, if it is a program.
    public var apiFramework: String?
    /// Data for the program.
    public var adParameters: String?
}
