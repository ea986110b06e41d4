extension MediaPlayer {
    /// Figures about the playback of the loaded item. An engine's figures are at most about a second old.
    public var statistics: PlaybackStatistics { snapshot.statistics }
}
