/// The features of a backend. The player reports a missing feature as unavailable.
public struct BackendCapabilities: Codable, Hashable, Sendable {
    /// Something that not every backend can do.
    public enum Feature: String, Codable, Hashable, Sendable, CaseIterable {
        /// Video can be shown in the backend's own window.
        case window
        /// Video can be delivered as BGRA frames.
        case frames
        /// `setPicture` takes effect.
        case pictureDetaching
        /// `prepare` takes effect.
        case preparing
        /// Two items can play at once, one fading out and one fading in.
        case crossfading
        /// `selectAudio` and `selectSubtitle` take effect.
        case trackSelection
        /// External subtitles can be shown.
        case externalSubtitles
        /// The bit rate of a stream's variants can be limited.
        case peakBitRate
        /// Reports the size of the video, and its changes.
        case videoSize
        /// Reports the window of a live stream.
        case dvrWindow
        /// Reports titles, artwork and chapters.
        case metadata
        /// Reports interruptions by the sound server, and `setRole` takes effect.
        case interruptions
    }

    /// Rates that `setRate` takes, in media seconds a second.
    public let rates: ClosedRange<Double>
    /// The features beyond playback.
    public let features: Set<Feature>

    /// The declared capabilities. The backend must comply with them.
    public init(rates: ClosedRange<Double> = 0.25...4, features: Set<Feature> = []) {
        self.rates = rates
        self.features = features
    }

    /// `true` if the backend has the feature.
    public func can(_ feature: Feature) -> Bool { features.contains(feature) }

    /// Why an output cannot be had; `nil` if it can.
    func missing(for output: VideoOutput) -> PlaybackNotice? {
        switch output {
        case .window: missing(.window)
        case .frames: missing(.frames)
        case .none: nil
        }
    }

    /// The notice for a missing feature; `nil` if the backend has it.
    func missing(_ feature: Feature) -> PlaybackNotice? {
        can(feature) ? nil : PlaybackNotice(code: feature.rawValue + "Unavailable", message: feature.absence)
    }
}

extension BackendCapabilities.Feature {
    fileprivate var absence: String {
        switch self {
        case .window: "This backend cannot open a window."
        case .frames: "This backend delivers no frames."
        case .pictureDetaching: "This backend also decodes hidden video."
        case .preparing: "This backend opens an item only when the one before has ended: there is a gap between them."
        case .crossfading: "This backend cannot let one item fade into another: they follow each other."
        case .trackSelection: "This backend cannot change tracks: the first ones play."
        case .externalSubtitles: "This backend shows no external subtitles."
        case .peakBitRate: "This backend cannot limit the bit rate: it chooses among all variants."
        case .videoSize: "This backend does not report the size of the video."
        case .dvrWindow: "This backend does not report the window of a live stream."
        case .metadata: "This backend does not report titles, artwork and chapters."
        case .interruptions: "This backend does not report interruptions, and has no audio roles."
        }
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
}
