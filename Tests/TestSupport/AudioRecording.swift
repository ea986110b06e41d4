import Foundation

/// Recordings in which nothing may be missing.
public enum AudioRecording {
    /// In seconds, the silence that nobody hears.
    public static let longestSilence = 0.005

    /// The first of three recordings without a silence between its first and its last sound, else the one with the shortest.
    ///
    /// A gap of the player's own making is in each of them. One that comes of a machine which did something else for a moment is not.
    @MainActor
    public static func cleanest(
        of takes: Int = 3, _ record: @MainActor () async throws -> [Float]
    ) async throws -> [Float] {
        var best: (samples: [Float], silence: Double) = ([], .infinity)
        for take in 1...takes {
            let samples = try await record()
            let silence = ToneDetector.longestSilence(in: samples)
            if silence < best.silence { best = (samples, silence) }
            if silence <= longestSilence { break }
            print("Take \(take) of \(takes) is silent for \(silence) s.")
        }
        return best.samples
    }
}
