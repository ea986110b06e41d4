import Foundation

@testable import MediaTransport

extension HLSPlaylist.Media {
    /// A playlist whose segments have these durations, in seconds.
    init(targetDuration: Double, firstNumber: Int = 0, durations: [Double], isComplete: Bool = false) {
        self.init(targetDuration: targetDuration, firstNumber: firstNumber, isComplete: isComplete)
        segments = durations.enumerated().map { index, duration in
            let number = firstNumber + index
            return HLSSegment(number: number, part: .init(url: .init(filePath: "/\(number).ts")), duration: duration)
        }
    }
}
