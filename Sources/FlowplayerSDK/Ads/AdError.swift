import Foundation

/// Why no advertisement was shown.
///
/// Frozen. The VAST family follows the error codes of VAST 4 (IAB, section 2.3.6); a code without a case of its own
/// belongs to the first case of its hundred.
public enum AdError: Error, Hashable, Sendable, CaseIterable {
    /// The server has none to show.
    case noAdAvailable
    /// It could not be loaded.
    case adLoadFailed
    /// It was loaded, and could not be shown.
    case adDisplayError
    /// There is no player that it could be shown in.
    case noAvPlayerInstance
    /// The request for it makes no sense, for instance an address that is none.
    case invalidAdRequest

    /// VAST 100: the response is not XML.
    case vastMalformedResponse
    /// VAST 101: the response does not follow the schema.
    case vastSchemaValidation
    /// VAST 102: the response is of a version that is not supported.
    case vastUnsupportedVersion
    /// VAST 200: an advertisement of another type, length or size than was asked for.
    case vastTrafficking
    /// VAST 300: a wrapper failed.
    case vastWrapper
    /// VAST 301: the address in a wrapper did not answer in time.
    case vastWrapperTimeout
    /// VAST 302: more wrappers within wrappers than are followed.
    case vastTooManyRedirects
    /// VAST 303: no advertisement was inside the wrappers.
    case vastNoAdsAfterWrapper
    /// VAST 400: a film or sound could not be played.
    case vastLinear
    /// VAST 401: the media file is not where the response says.
    case vastMediaFileNotFound
    /// VAST 402: the media file did not arrive in time.
    case vastMediaFileTimeout
    /// VAST 403: no media file is in a format that can be played.
    case vastUnsupportedMedia
    /// VAST 405: the media file could not be shown.
    case vastMediaDisplay
    /// VAST 500: an overlay could not be shown.
    case vastNonLinear
    /// VAST 600: a companion beside the player could not be shown.
    case vastCompanion
    /// VAST 900: something that has no code.
    case vastUndefined

    /// The case that a VAST error code stands for: its own, the first of its hundred, or `vastUndefined`.
    public init(vastCode: Int) {
        let hundred = vastCode / 100 * 100
        self =
            Self.allCases.first { $0.vastCode == vastCode } ?? Self.allCases.first { $0.vastCode == hundred }
            ?? .vastUndefined
    }

    /// The VAST error code to report to the advertisement's server; `nil` outside the VAST family.
    public var vastCode: Int? { told.vastCode }
}

extension AdError: LocalizedError {
    public var errorDescription: String? { told.sentence }

    private var told: (vastCode: Int?, sentence: String) {
        switch self {
        case .noAdAvailable: (nil, "The server has no advertisement to show.")
        case .adLoadFailed: (nil, "The advertisement could not be loaded.")
        case .adDisplayError: (nil, "The advertisement could not be shown.")
        case .noAvPlayerInstance: (nil, "There is no player to show the advertisement in.")
        case .invalidAdRequest: (nil, "The request for an advertisement is not valid.")
        case .vastMalformedResponse: (100, "The response with the advertisement is not XML.")
        case .vastSchemaValidation: (101, "The response with the advertisement does not follow the VAST schema.")
        case .vastUnsupportedVersion: (102, "The response is of a VAST version that is not supported.")
        case .vastTrafficking: (200, "The advertisement is of another type, length or size than was asked for.")
        case .vastWrapper: (300, "A wrapper of the advertisement failed.")
        case .vastWrapperTimeout: (301, "A wrapper of the advertisement did not answer in time.")
        case .vastTooManyRedirects: (302, "The advertisement is inside too many wrappers.")
        case .vastNoAdsAfterWrapper: (303, "No advertisement was inside its wrappers.")
        case .vastLinear: (400, "The advertisement could not be played.")
        case .vastMediaFileNotFound: (401, "The advertisement's media file was not found.")
        case .vastMediaFileTimeout: (402, "The advertisement's media file did not arrive in time.")
        case .vastUnsupportedMedia: (403, "The advertisement has no media file that can be played.")
        case .vastMediaDisplay: (405, "The advertisement's media file could not be shown.")
        case .vastNonLinear: (500, "The overlay could not be shown.")
        case .vastCompanion: (600, "The companion of the advertisement could not be shown.")
        case .vastUndefined: (900, "The advertisement failed for a reason that has no code.")
        }
    }
}
