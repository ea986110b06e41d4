import Foundation

/// How loud one of two sounds is that fade into each other: together they stay equally loud.
package struct AudioFade: Equatable {
    package let isIn: Bool
    /// In frames.
    package let length: Int
    private var position = 0

    package init(isIn: Bool, seconds: Double) {
        self.isIn = isIn
        length = max(1, Int(seconds * Double(AudioFormat.rate)))
    }

    /// In `0...1`, for one frame after the other.
    package mutating func next() -> Float {
        let progress = min(1, Double(position) / Double(length))
        position += 1
        return Float(isIn ? sin(.pi / 2 * progress) : cos(.pi / 2 * progress))
    }
}
