import FlowplayerSDK
import Playback

/// The reason why an advertisement was not played, as VAST numbers it. The raw value is the number that `[ERRORCODE]` becomes.
///
/// Source: VAST 4.2, section 2.3.6.3.
@nonexhaustive
public enum VASTError: Int, Error, Codable, Hashable, Sendable, CaseIterable {
    /// The document is not XML.
    case notXML = 100
    /// The document is XML, but not VAST.
    case invalidSchema = 101
    /// The version is not supported.
    case unsupportedVersion = 102
    /// The advertisement is of another type than the break asks for.
    case unexpectedType = 200
    /// The advertisement is linear where none is expected, or the other way round.
    case unexpectedLinearity = 201
    /// The advertisement has another duration than its document says.
    case unexpectedDuration = 202
    /// The advertisement has another size than its document says.
    case unexpectedSize = 203
    /// The category of the advertisement is missing.
    case missingCategory = 204
    /// The category of the advertisement is blocked.
    case blockedCategory = 205
    /// The break was shortened, so the advertisement was not played.
    case shortenedBreak = 206
    /// The address of a wrapper cannot be loaded.
    case wrapperFailed = 300
    /// The address of a wrapper was not answered in time.
    case wrapperTimeout = 301
    /// There are too many nested wrappers, or they form a loop.
    case tooManyWrappers = 302
    /// The response has no advertisement.
    case noAdvertisement = 303
    /// The advertisement was not shown in time.
    case displayTimeout = 304
    /// The advertisement cannot be played.
    case linearFailed = 400
    /// The media file was not found.
    case mediaNotFound = 401
    /// The media file did not arrive in time.
    case mediaTimeout = 402
    /// There is no media file that the player supports.
    case noSupportedMedia = 403
    /// The media file was loaded, but cannot be played.
    case displayFailed = 405
    /// The advertisement requires a mezzanine file.
    case missingMezzanine = 406
    /// The mezzanine file is being converted.
    case convertingMezzanine = 407
    /// The player accepts no conditional advertisement.
    case conditionalRejected = 408
    /// The interactive part of the advertisement was not executed.
    case interactiveNotExecuted = 409
    /// The verification of the advertisement was not executed.
    case verificationNotExecuted = 410
    /// The mezzanine file is not as the specification asks.
    case invalidMezzanine = 411
    /// The non-linear advertisement cannot be shown.
    case nonLinearFailed = 500
    /// The non-linear advertisement does not fit.
    case nonLinearSize = 501
    /// The non-linear advertisement cannot be loaded.
    case nonLinearNotFound = 502
    /// There is no non-linear advertisement that the player supports.
    case noSupportedNonLinear = 503
    /// The companion cannot be shown.
    case companionFailed = 600
    /// The companion does not fit.
    case companionSize = 601
    /// A required companion cannot be shown.
    case missingCompanion = 602
    /// The companion cannot be loaded.
    case companionNotFound = 603
    /// There is no companion that the player supports.
    case noSupportedCompanion = 604
    /// The reason is unknown.
    case undefined = 900
    /// The advertisement is a program (VPAID), which this SDK does not run.
    case programNotSupported = 901
    /// The interactive file of the advertisement failed.
    case interactiveFailed = 902

    /// The error that `adDelegate` receives.
    public var adError: AdError {
        switch self {
        case .notXML, .invalidSchema, .unsupportedVersion: .vastMalformedResponse
        case .unexpectedType, .unexpectedLinearity, .unexpectedDuration, .unexpectedSize, .missingCategory,
            .blockedCategory, .conditionalRejected:
            .vastTraffickingError
        case .shortenedBreak, .nonLinearFailed, .nonLinearSize, .nonLinearNotFound, .noSupportedNonLinear,
            .interactiveNotExecuted, .interactiveFailed, .verificationNotExecuted:
            .adDisplayError
        case .wrapperFailed: .vastInvalidUrl
        case .wrapperTimeout: .vastLoadTimeout
        case .tooManyWrappers: .vastTooManyRedirects
        case .noAdvertisement: .vastEmptyResponse
        case .displayTimeout, .mediaTimeout: .vastMediaLoadTimeout
        case .mediaNotFound: .vastAssetNotFound
        case .noSupportedMedia, .programNotSupported, .missingMezzanine, .convertingMezzanine, .invalidMezzanine:
            .vastLinearAssetMismatch
        case .linearFailed, .displayFailed: .videoPlayError
        case .companionFailed, .companionSize, .missingCompanion, .companionNotFound, .noSupportedCompanion:
            .companionAdLoadingFailed
        case .undefined: .unknownError
        }
    }
}

extension VASTError {
    /// The error of an advertisement whose media file failed.
    init(_ error: PlaybackError) {
        switch error.code {
        case .httpStatus, .fileNotFound, .hostNotFound, .connectionRefused: self = .mediaNotFound
        case .timedOut: self = .mediaTimeout
        case .emptyFile, .unsupportedCodec, .unrecognisedFormat, .noPlayableStream, .decodingFailed:
            self = .displayFailed
        case .engineFailed, .engineStuck, .engineCrashed, .backendUnavailable: self = .undefined
        default: self = .linearFailed
        }
    }
}
