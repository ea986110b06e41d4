/// The features of a backend. The player reports a missing feature as unavailable.
public struct BackendCapabilities: Codable, Hashable, Sendable {
    /// Something that not every backend can do.
    public enum Feature: String, Codable, Hashable, Sendable, CaseIterable {
        /// Video can be shown in the backend's own window.
        case window
        /// Video can be delivered as BGRA frames.
        case frames
        /// Another video output takes effect on an open item.
        case outputSwitching
        /// `setVideoVisible` takes effect.
        case videoDetaching
        /// `prepare` takes effect.
        case preparing
        /// Two items can play at once, one fading out and one fading in.
        case crossfading
        /// `selectAudio` and `selectSubtitle` take effect.
        case trackSelection
        /// A seek with the tolerance `keyframe` goes to a keyframe.
        case keyframeSeeking
        /// External subtitles can be shown.
        case externalSubtitles
        /// `setSubtitleDelay` takes effect.
        case subtitleDelay
        /// The bit rate of a stream's variants can be limited.
        case peakBitRate
        /// `selectQuality` takes effect, and the resolution of a stream's variants can be limited.
        case qualitySelection
        /// The HTTP headers of an item are sent.
        case httpHeaders
        /// Reports the size of the video, and its changes.
        case videoSize
        /// Reports the parts of an item that it has received.
        case bufferedRanges
        /// Reports the window of a live stream.
        case dvrWindow
        /// Reports titles, artwork and chapters.
        case metadata
        /// Reports interruptions by the audio server, and `setRole` takes effect.
        case interruptions
    }

    /// Rates that `setRate` takes, in media seconds a second.
    public let rates: ClosedRange<Double>
    /// The features beyond playback.
    public let features: Set<Feature>
    /// How to add a missing feature, as a sentence such as "Install gstreamer1.0-x.". Empty if nothing adds it.
    public let remedies: [Feature: String]

    /// The declared capabilities. The backend must comply with them.
    public init(
        rates: ClosedRange<Double> = 0.25...4, features: Set<Feature> = [], remedies: [Feature: String] = [:]
    ) {
        self.rates = rates
        self.features = features
        self.remedies = remedies
    }

    /// `true` if the backend has the feature.
    public func can(_ feature: Feature) -> Bool { features.contains(feature) }

    /// Returns a notice with the message, and with the remedy, if the backend lacks the feature.
    func missing(_ feature: Feature, _ message: String) -> PlaybackNotice? {
        guard !can(feature) else { return nil }
        let sentences = [message, remedies[feature]].compactMap(\.self)
        return PlaybackNotice(code: feature.rawValue + "Unavailable", message: sentences.joined(separator: " "))
    }
}

/// A warning. Playback continues.
public struct PlaybackNotice: Codable, Hashable, Sendable {
    /// A stable name, for programs.
    public let code: String
    /// A sentence, for people.
    public let message: String

    /// A warning as a backend or a machine makes it.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    package static let noDisplay = PlaybackNotice(
        code: "noDisplay", message: "There is no display. Playing without video.")
}
