/// Where somebody believes the playhead to be who has heard all signals and asks for nothing.
///
/// A signal is needed where that is wrong.
struct ShownPosition {
    private var anchor = 0.0
    private var time = Duration.zero
    private var rate = 0.0

    /// Differences up to so many seconds are not worth a signal, while nothing has happened.
    static let tolerance = 1.0
    /// The same where playback has just begun or gone on: who waited has counted on.
    static let toleranceAtStart = 0.2

    /// In seconds.
    func position(at time: Duration) -> Double { anchor + (time - self.time).inSeconds * rate }

    /// It was told how fast it moves; 0: it stands.
    mutating func move(at rate: Double, from time: Duration) {
        anchor = position(at: time)
        (self.time, self.rate) = (time, rate)
    }

    /// It was told, or is known without being told, where the playhead is.
    mutating func place(at position: Double, _ time: Duration) {
        (anchor, self.time) = (position, time)
    }
}
