#if GStreamer
import CGStreamer
import Foundation

/// The cover images that items contain, as files in the user's folder of caches.
enum ArtworkCache {
    /// The number of images that are kept.
    private static let capacity = 200

    private static let folder = URL(
        filePath: "swift-flowplayer/artwork", directoryHint: .isDirectory,
        relativeTo: FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0])

    /// Returns the file of an image. Writes it if it is new, and removes the images that were not used for the longest time.
    ///
    /// - Returns: `nil` if the folder is not writable.
    static func file(of image: GStreamerTags.Image) -> URL? {
        let file = folder.appending(path: "\(image.checksum).\(image.format)").absoluteURL
        let manager = FileManager.default
        let path = file.path(percentEncoded: false)
        if manager.fileExists(atPath: path) {
            try? manager.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
            return file
        }
        do {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            try image.bytes.write(to: file, options: .atomic)
        } catch {
            return nil
        }
        removeOldest()
        return file
    }

    private static func removeOldest() {
        let manager = FileManager.default
        let files = (try? manager.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        guard files.count > capacity else { return }
        let dates = files.map { file in
            let attributes = try? manager.attributesOfItem(atPath: file.path(percentEncoded: false))
            return (file, attributes?[.modificationDate] as? Date ?? .distantPast)
        }
        for (file, _) in dates.sorted(by: { $0.1 < $1.1 }).dropLast(capacity) { try? manager.removeItem(at: file) }
    }
}

extension GStreamerTags {
    /// A cover image.
    struct Image: Sendable {
        /// The extension of its file.
        let format: String
        let bytes: Data

        /// Larger images are not reported, in bytes.
        private static let largest = 16 << 20
        private static let formats = [
            "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif",
        ]

        /// - Returns: `nil` without an image in a known format.
        init?(_ list: UnsafeMutablePointer<GstTagList>) {
            var sample: OpaquePointer?
            guard gst_tag_list_get_sample(list, GST_TAG_IMAGE, &sample) != 0, let sample else { return nil }
            defer { gstreamer_unref(UnsafeMutableRawPointer(sample)) }
            var map = GstMapInfo()
            guard let caps = gst_sample_get_caps(sample), let buffer = gst_sample_get_buffer(sample),
                let name = gst_structure_get_name(gst_caps_get_structure(caps, 0)),
                let format = Self.formats[String(cString: name)],
                gst_buffer_map(buffer, &map, GST_MAP_READ) != 0
            else { return nil }
            defer { gst_buffer_unmap(buffer, &map) }
            guard map.size <= Self.largest else { return nil }
            (self.format, bytes) = (format, Data(bytes: map.data, count: Int(map.size)))
        }

        /// The same for the same image.
        fileprivate var checksum: String {
            let text = bytes.withUnsafeBytes { bytes in
                g_compute_checksum_for_data(
                    G_CHECKSUM_SHA256, bytes.bindMemory(to: guchar.self).baseAddress, gsize(bytes.count))
            }
            defer { g_free(text) }
            return text.map { String(cString: $0) } ?? ""
        }
    }
}
#endif
