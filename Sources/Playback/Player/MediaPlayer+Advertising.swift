// Advertisements that play in place of the item. A plugin decides when, and reports them here.
extension MediaPlayer {
    /// The advertisement that plays in place of the item; `nil` if there is none. Views show it. A plugin sets it.
    public var advertisement: Advertisement? {
        get { snapshot.advertisement }
        set { perform(.advertise(newValue)) }
    }

    /// The breaks for advertisements in the item, in seconds, by their starts. Seek bars show them. A plugin sets them after each
    /// load. A break that another player shows has no length.
    public var adBreaks: [ClosedRange<Double>] {
        get { snapshot.adBreaks }
        set { perform(.setAdBreaks(newValue)) }
    }

    /// The reason that holds playback when the item has played to its end; `nil`, the default, for none.
    ///
    /// The item is then paused at its end. It ends, and the next item of the queue plays, when `unsuppress` removes the reason. A load
    /// sets `nil`. Setting it has no effect unless an item is open.
    public var endSuppression: SuppressionReason? {
        get { snapshot.endSuppression }
        set { perform(.suppressEnd(newValue)) }
    }

    /// The command, to another position if it is a seek.
    func adjusted(_ command: PlayerCommand) -> PlayerCommand {
        guard let adjustSeek, case .seek(let target, let tolerance) = command, target.isFinite,
            snapshot.isReady, snapshot.canSeek
        else { return command }
        return .seek(adjustSeek(snapshot.held(target)), tolerance: tolerance)
    }

    /// Sends an event of advertisements to delegates and observers.
    public func report(_ event: AdEvent) { perform(.reportAd(event)) }
}
