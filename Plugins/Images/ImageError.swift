import Foundation

/// The reason why there is no image.
public enum ImageError: Error, Hashable, Sendable {
    /// The item has no video, or no item is loaded.
    case noVideo
    /// The library for the format is not installed.
    case libraryMissing(package: String)
    /// The image could not be encoded.
    case encodingFailed
}

extension ImageError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .noVideo: "There is no video. Load an item with video."
        case .libraryMissing(let package): "A library for images is missing. Install \(package)."
        case .encodingFailed: "The image could not be encoded."
        }
    }
}
