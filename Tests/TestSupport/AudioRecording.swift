/// The audio of one test, as the sink received it.
///
/// A busy machine lets the stream run dry now and then, and the sink inserts silence. A very busy one also loses audio, because libVLC
/// drops what comes too late. So the tests count time in audio, without the silences, and leave room in their bounds.
public struct AudioRecording: Sendable {
    /// A part without audio.
    public struct Silence: Sendable {
        /// In seconds of audio, without the silences before.
        public let position: Double
        /// In seconds.
        public let length: Double
    }

    /// In seconds. A shorter silence is not audible, and a tone has short silences.
    public static let longestGap = 0.005

    /// The silences between the first and the last audio.
    public let silences: [Silence]
    /// How much audio there is, in seconds, without the silences.
    public let duration: Double

    /// - Parameter samples: in `-1...1`.
    public init(_ samples: [Float], sampleRate: Int = TestAudioServer.sampleRate) {
        var silences: [Silence] = []
        var duration = 0.0
        var last: Int?
        for index in samples.indices where abs(samples[index]) > 0.01 {
            let length = Double(index - (last ?? index)) / Double(sampleRate)
            if length > Self.longestGap {
                silences.append(Silence(position: duration, length: length))
            } else {
                duration += length
            }
            last = index
        }
        self.silences = silences
        self.duration = duration
    }
}
