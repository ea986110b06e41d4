/// The options of libVLC for a stream whose variants libVLC reads itself.
enum VLCStreamOptions {
    /// The options that keep libVLC below a bit rate, in bits per second. libVLC does not adapt then.
    ///
    /// libVLC counts in units of 8192 bits per second. Its limit of the height cannot express a bit rate, and its
    /// automatic choice has no limit of the rate.
    static func fixedRate(_ peakBitRate: Double) -> [String] {
        ["adaptive-logic=fixedrate", "adaptive-bw=\(Int(min(peakBitRate / 8192, 1e9)))"]
    }
}
