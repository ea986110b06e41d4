import Foundation

/// The reason why an advertisement was not shown. The raw value is a sentence for the user.
///
/// Frozen. The cases are those of the original interface, which follow the error codes of Google's IMA SDK.
public enum AdError: String, Error, Codable, Hashable, Sendable, CaseIterable {
    /// The server returned no advertisement.
    case noAdAvailable = "The server returned no advertisement."
    /// The advertisement could not be loaded.
    case adLoadFailed = "The advertisement could not be loaded."
    /// The advertisement was loaded, but could not be shown.
    case adDisplayError = "The advertisement could not be shown."
    /// There is no player for the advertisement.
    case noAvPlayerInstance = "There is no player to show the advertisement in."
    /// The request is invalid, for example its address.
    case invalidAdRequest = "The request for an advertisement is invalid."

    /// The place for the advertisement is not visible.
    case adSlotNotVisible = "The place for the advertisement is not visible."
    /// A method of the advertisement SDK was used in the wrong way.
    case apiError = "The advertisement SDK was used in the wrong way."
    /// A companion advertisement could not be loaded or shown.
    case companionAdLoadingFailed = "A companion advertisement could not be loaded or shown."
    /// The server returned a list of advertisements, but the position of the item is unknown.
    case contentPlayheadMissing =
        "The position of the item is unknown, but the server returned a list of advertisements."
    /// A method of the advertisement SDK got an invalid argument.
    case invalidArguments = "The advertisement SDK got an invalid argument."
    /// The operating system is too old for the advertisement SDK.
    case osRuntimeTooOld = "The operating system is too old for the advertisement SDK."
    /// The list of advertisements is not valid.
    case playlistMalformedResponse = "The list of advertisements is not valid."
    /// A required listener of advertisement events is missing.
    case requiredListenersNotAdded = "A required listener of advertisement events is missing."
    /// The error has no known cause.
    case unknownError = "The advertisement failed for an unknown reason."
    /// The media file of the VAST response was not found.
    case vastAssetNotFound = "The media file of the advertisement was not found. Check its address."
    /// The VAST response contains no advertisement.
    case vastEmptyResponse = "The response contains no advertisement."
    /// A VAST document cannot be loaded: the first one, or that of a wrapper.
    case vastInvalidUrl = "A document of the advertisement could not be loaded. Check its address and its server."
    /// The VAST response has no media file that fits the player.
    case vastLinearAssetMismatch = "The advertisement has no media file in a supported format."
    /// A VAST response did not arrive in time.
    case vastLoadTimeout = "The response did not arrive in time. Check the server."
    /// The VAST response is not valid.
    case vastMalformedResponse = "The response is not a valid VAST document. Check the server."
    /// The media file of the advertisement did not arrive in time.
    case vastMediaLoadTimeout =
        "The media file of the advertisement did not arrive in time. Check its server."
    /// There are too many nested VAST wrappers.
    case vastTooManyRedirects = "The advertisement has too many nested wrappers."
    /// The type of the advertisement differs from the request.
    case vastTraffickingError = "The type of the advertisement differs from the request."
    /// A video element is required.
    case videoElementRequired = "The advertisement needs a video element."
    /// Another advertisement uses the video element.
    case videoElementUsed = "Another advertisement uses the video element."
    /// The advertisement could not be played.
    case videoPlayError = "The advertisement could not be played."
}

extension AdError: LocalizedError {
    public var errorDescription: String? { rawValue }
}
