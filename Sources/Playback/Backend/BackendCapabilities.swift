/// What a backend can do. What is missing here, the player reports as unavailable.
public struct BackendCapabilities: Codable, Hashable, Sendable {
    /// Something that not every backend can do.
    public enum Feature: String, Codable, Hashable, Sendable, CaseIterable {
        /// Pictures can be shown in a window of the backend's own.
        case window
        /// Pictures can be had as BGRA frames.
        case frames
        /// `setPicture` takes effect.
        case pictureDetaching
        /// `prepare` takes effect.
        case preparing
        /// Two items can sound at once, one fading out and one fading in.
        case crossfading
        /// `selectAudio` and `selectSubtitle` take effect.
        case trackSelection
        /// Texts that lie beside a medium can be shown with it.
        case externalSubtitles
        /// Of the variants of a stream, those above a bit rate are left out.
        case peakBitRate
        /// Tells the size of the picture that is shown, and its changes.
        case videoSize
        /// Tells which part of a live stream can be played.
        case dvrWindow
        /// Tells titles, artwork and chapters.
        case metadata
        /// Tells when the sound server wants something more important to be heard, and `setRole` takes effect.
        case interruptions
    }

    /// Rates that `setRate` takes, in media seconds a second.
    public let rates: ClosedRange<Double>
    /// What this backend can do beyond playing.
    public let features: Set<Feature>

    /// What a backend declares of itself. It must keep to it.
    public init(rates: ClosedRange<Double> = 0.25...4, features: Set<Feature> = []) {
        self.rates = rates
        self.features = features
    }

    /// Whether the backend can do this.
    public func can(_ feature: Feature) -> Bool { features.contains(feature) }

    /// Why an output cannot be had; `nil` if it can.
    func missing(for output: VideoOutput) -> PlaybackNotice? {
        switch output {
        case .window: missing(.window)
        case .frames: missing(.frames)
        case .none: nil
        }
    }

    /// What to say where a feature is asked for; `nil` if the backend has it.
    func missing(_ feature: Feature) -> PlaybackNotice? {
        can(feature) ? nil : PlaybackNotice(code: feature.rawValue + "Unavailable", message: feature.absence)
    }
}

extension BackendCapabilities.Feature {
    fileprivate var absence: String {
        switch self {
        case .window: "This backend cannot open a window."
        case .frames: "This backend delivers no frames."
        case .pictureDetaching: "This backend decodes the picture also where nobody sees it."
        case .preparing: "This backend opens an item only when the one before has ended: there is a gap between them."
        case .crossfading: "This backend cannot let one item fade into another: they follow each other."
        case .trackSelection: "This backend cannot change tracks: the medium's first ones play."
        case .externalSubtitles: "This backend shows no subtitles from files of their own: it plays without them."
        case .peakBitRate: "This backend cannot limit the bit rate: it chooses among all variants."
        case .videoSize: "This backend does not tell the size of the picture."
        case .dvrWindow: "This backend does not tell which part of a live stream can be played."
        case .metadata: "This backend does not tell titles, artwork and chapters."
        case .interruptions: "This backend does not know what else sounds, and tells nobody what its sound is for."
        }
    }
}
