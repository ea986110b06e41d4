import Foundation

/// The reason why an advertisement was not shown.
///
/// Frozen. The `vast` cases are the error codes of VAST 4 (IAB, section 2.3.6). A code without its own case belongs to the
/// first case of its hundred.
public enum AdError: Error, Hashable, Sendable, CaseIterable {
    /// The server returned no advertisement.
    case noAdAvailable
    /// The advertisement could not be loaded.
    case adLoadFailed
    /// The advertisement was loaded, but could not be shown.
    case adDisplayError
    /// There is no player for the advertisement.
    case noAvPlayerInstance
    /// The request is invalid, for example its address.
    case invalidAdRequest

    /// VAST 100: the response is not XML.
    case vastMalformedResponse
    /// VAST 101: the response does not follow the schema.
    case vastSchemaValidation
    /// VAST 102: the VAST version of the response is not supported.
    case vastUnsupportedVersion
    /// VAST 200: the type, length or size differs from the request.
    case vastTrafficking
    /// VAST 300: a wrapper failed.
    case vastWrapper
    /// VAST 301: the address in a wrapper did not answer in time.
    case vastWrapperTimeout
    /// VAST 302: there are too many nested wrappers.
    case vastTooManyRedirects
    /// VAST 303: the wrappers contained no advertisement.
    case vastNoAdsAfterWrapper
    /// VAST 400: a video or audio advertisement could not be played.
    case vastLinear
    /// VAST 401: the media file was not found.
    case vastMediaFileNotFound
    /// VAST 402: the media file did not arrive in time.
    case vastMediaFileTimeout
    /// VAST 403: no media file has a supported format.
    case vastUnsupportedMedia
    /// VAST 405: the media file could not be shown.
    case vastMediaDisplay
    /// VAST 500: an overlay could not be shown.
    case vastNonLinear
    /// VAST 600: a companion advertisement could not be shown.
    case vastCompanion
    /// VAST 900: the error has no code.
    case vastUndefined

    /// Creates the case of a VAST error code: its own, the first of its hundred, or `vastUndefined`.
    public init(vastCode: Int) {
        let hundred = vastCode / 100 * 100
        self =
            Self.allCases.first { $0.vastCode == vastCode } ?? Self.allCases.first { $0.vastCode == hundred }
            ?? .vastUndefined
    }

    /// The VAST error code for reports to the ad server, or `nil` for other errors.
    public var vastCode: Int? { details.vastCode }
}

extension AdError: LocalizedError {
    public var errorDescription: String? { details.sentence }

    private var details: (vastCode: Int?, sentence: String) {
        switch self {
        case .noAdAvailable: (nil, "The server returned no advertisement.")
        case .adLoadFailed: (nil, "The advertisement could not be loaded.")
        case .adDisplayError: (nil, "The advertisement could not be shown.")
        case .noAvPlayerInstance: (nil, "There is no player to show the advertisement in.")
        case .invalidAdRequest: (nil, "The request for an advertisement is invalid.")
        case .vastMalformedResponse: (100, "The response is not XML.")
        case .vastSchemaValidation: (101, "The response does not follow the VAST schema.")
        case .vastUnsupportedVersion: (102, "The VAST version of the response is not supported.")
        case .vastTrafficking: (200, "The type, length or size of the advertisement differs from the request.")
        case .vastWrapper: (300, "A wrapper of the advertisement failed.")
        case .vastWrapperTimeout: (301, "A wrapper of the advertisement did not answer in time.")
        case .vastTooManyRedirects: (302, "The advertisement has too many nested wrappers.")
        case .vastNoAdsAfterWrapper: (303, "The wrappers contained no advertisement.")
        case .vastLinear: (400, "The advertisement could not be played.")
        case .vastMediaFileNotFound: (401, "The advertisement's media file was not found.")
        case .vastMediaFileTimeout: (402, "The advertisement's media file did not arrive in time.")
        case .vastUnsupportedMedia: (403, "The advertisement has no media file in a supported format.")
        case .vastMediaDisplay: (405, "The advertisement's media file could not be shown.")
        case .vastNonLinear: (500, "The overlay could not be shown.")
        case .vastCompanion: (600, "The companion advertisement could not be shown.")
        case .vastUndefined: (900, "The advertisement failed. The error has no code.")
        }
    }
}
