extension PlayerEvent {
    /// The name of the case.
    package var name: String {
        switch self {
        case .media: "media"
        case .item: "item"
        case .resolved: "resolved"
        case .playbackType: "playbackType"
        case .duration: "duration"
        case .dvrWindow: "dvrWindow"
        case .metadata: "metadata"
        case .tracks: "tracks"
        case .selectedAudio: "selectedAudio"
        case .selectedSubtitle: "selectedSubtitle"
        case .quality: "quality"
        case .rate: "rate"
        case .volume: "volume"
        case .mute: "mute"
        case .seek: "seek"
        case .buffer: "buffer"
        case .interruption: "interruption"
        case .route: "route"
        case .log: "log"
        case .position: "position"
        case .error: "error"
        case .state: "state"
        case .playbackState: "playbackState"
        case .missed: "missed"
        }
    }

    /// The name of the event that reports a property of the snapshot, or `nil` if the property has no event.
    @MainActor
    package static func name(reporting property: PartialKeyPath<PlayerSnapshot>) -> String? { reporters[property] }

    @MainActor
    private static let reporters: [PartialKeyPath<PlayerSnapshot>: String] = [
        \.item?.transition: "item", \.playbackType: "playbackType", \.duration: "duration", \.dvrWindow: "dvrWindow",
        \.metadata: "metadata", \.tracks: "tracks", \.currentAudio: "selectedAudio",
        \.currentSubtitle: "selectedSubtitle", \.quality: "quality", \.rate: "rate", \.volume: "volume",
        \.isMuted: "mute", \.seek: "seek", \.bufferState: "buffer", \.isInterrupted: "interruption",
        \.position: "position", \.error: "error", \.state: "state", \.playbackState: "playbackState",
    ]
}
