import FlowplayerSDK
import Playback

/// The settings of advertisements.
public struct AdOptions: Sendable {
    /// The longest time for which the item waits for an advertisement, also if its server does not answer. 5 s by default.
    /// The configuration of the video platform may have a shorter one.
    public var timeout = Duration.seconds(5)
    /// The longest time for one document. A break with several ad tags then tries the next one. 2.5 s by default.
    public var documentTimeout = Duration.seconds(2.5)
    /// The longest break; `nil`, the default, for no limit. Advertisements of a pod that exceed it are not played. One that lasts longer
    /// than its document says ends the break.
    public var longestBreak: Duration?
    /// The limits for the choice of a media file. Without a bit rate or a size, those of the item apply.
    public var media = AdMediaLimits()
    /// `true` if the host shows companions. An advertisement that requires its companions is not played otherwise. `false` by default.
    public var showsCompanions = false
    /// The addresses that start a session of a `MediaDAI`. Without one, its `backupStream` plays.
    public var sessions = DAISessionTemplates()
    /// `false` to ignore the breaks that a stream marks, for example if they are places for advertisements that nobody has filled. `true`
    /// by default. An item with a schedule has the breaks of the schedule only.
    public var followsStreamBreaks = true
    /// Values for macros that only the host knows, such as `GDPRCONSENT`, by their names. Not yet encoded.
    public var macros: [String: String] = [:]
    /// Rejects an advertisement by throwing the error that its server receives. By default, each is accepted.
    ///
    /// Called off the main actor, after the wrappers were followed.
    public var accept: @Sendable (VASTAd) throws(VASTError) -> Void = { (_) throws(VASTError) in }

    /// The largest number of nested wrappers.
    var mostWrappers = VASTResolver.mostWrappers

    /// The default settings.
    public init() {}

    /// Returns the settings for an item of the video platform, whose configuration may have lower limits.
    func limited(by settings: OVPConfig.IMA?) -> AdOptions {
        guard let settings else { return self }
        var options = self
        let timeouts = (settings.ads ?? []).map { Duration.milliseconds($0.timeout) }
        options.timeout = min(timeout, timeouts.max() ?? timeout)
        options.mostWrappers = min(mostWrappers, settings.redirects ?? mostWrappers)
        return options
    }
}
