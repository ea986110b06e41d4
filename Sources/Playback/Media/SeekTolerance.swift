/// The precision of a seek.
public enum SeekTolerance: String, Codable, Hashable, Sendable, CaseIterable {
    /// Playback continues exactly at the target.
    case exact
    /// Playback continues at a keyframe near the target, which is faster. A backend without the feature
    /// `keyframeSeeking` seeks exactly.
    case keyframe
}
