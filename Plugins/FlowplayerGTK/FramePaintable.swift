#if GTK
import CGTK
import Playback

/// A `GdkPaintable` that draws the newest frame of a player.
///
/// A frame becomes a texture when it is painted. A frame that is replaced before costs nothing.
@MainActor
final class FramePaintable {
    /// The object. Several widgets may show it.
    let pointer: UnsafeMutableRawPointer
    /// The number of frames that were painted.
    private(set) var paintedFrames = 0
    private let frames: FrameToPaint
    private var texture: ObjectReference?
    /// In square pixels.
    private var size: (width: Double, height: Double) = (0, 0)

    init(frames: FrameToPaint) {
        self.frames = frames
        pointer = g_object_new_with_properties(Self.type, 0, nil, nil)!.raw
        g_object_set_data(pointer.cast(), Self.key, Unmanaged.passUnretained(self).toOpaque())
    }

    isolated deinit {
        // A widget may still hold the object.
        g_object_set_data(pointer.cast(), Self.key, nil)
        g_object_unref(pointer)
    }

    /// `true` if there is no frame to draw.
    var isEmpty: Bool { texture == nil && size == (0, 0) }

    /// Width by height; `nil` without a frame.
    var aspectRatio: Double? { size.height > 0 ? size.width / size.height : nil }

    /// There is a newer frame, or another size.
    func refresh() {
        guard let frame = frames.newest else { return }
        let size = (width: Double(frame.width), height: Double(frame.height))
        if size != self.size {
            self.size = size
            gdk_paintable_invalidate_size(pointer.opaque)
        }
        gdk_paintable_invalidate_contents(pointer.opaque)
    }

    /// Draws nothing from now on, until the next frame.
    func clear() {
        frames.clear()
        texture = nil
        size = (0, 0)
        gdk_paintable_invalidate_size(pointer.opaque)
        gdk_paintable_invalidate_contents(pointer.opaque)
    }

    private func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        if let frame = frames.take() {
            TextureMemory.keep
            texture = ObjectReference(owned: Self.texture(of: frame))
            paintedFrames += 1
        }
        guard let texture else { return }
        var area = graphene_rect_t()
        graphene_rect_init(&area, 0, 0, Float(width), Float(height))
        gtk_snapshot_append_texture(snapshot, texture.pointer.opaque, &area)
    }

    /// Returns a new texture with the memory of the frame. The caller releases it.
    static func texture(of frame: VideoFrame) -> OpaquePointer {
        let bytes = bytes(of: frame)
        // Alpha is always 255. The straight format is the same then, but GTK would convert it.
        defer { g_bytes_unref(bytes) }
        return gdk_memory_texture_new(
            Int32(frame.width), Int32(frame.height), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes,
            gsize(frame.bytesPerRow))
    }

    /// The memory of the frame, without a copy. GTK may release it on any thread.
    private nonisolated static func bytes(of frame: VideoFrame) -> OpaquePointer {
        g_bytes_new_with_free_func(
            frame.storage.bytes.baseAddress, gsize(frame.height * frame.bytesPerRow),
            { storage in
                guard let storage else { return }
                Unmanaged<VideoFrameStorage>.fromOpaque(storage).release()
            }, Unmanaged.passRetained(frame.storage).toOpaque())
    }

    // MARK: The class

    private static let key = "flowplayer-paintable"

    private static func from(_ pointer: OpaquePointer?) -> FramePaintable? {
        guard let pointer, let data = g_object_get_data(pointer.cast(), key) else { return nil }
        return Unmanaged<FramePaintable>.fromOpaque(data).takeUnretainedValue()
    }

    private static let type: GType = {
        let type = g_type_register_static_simple(
            GType(20 << 2), "FlowplayerFramePaintable", guint(MemoryLayout<GObjectClass>.size), nil,
            guint(MemoryLayout<GObject>.size), nil, GTypeFlags(0))
        var information = GInterfaceInfo(
            interface_init: { table, _ in
                FramePaintable.fill(table!.assumingMemoryBound(to: GdkPaintableInterface.self))
            },
            interface_finalize: nil, interface_data: nil)
        g_type_add_interface_static(type, gdk_paintable_get_type(), &information)
        return type
    }()

    private static func fill(_ table: UnsafeMutablePointer<GdkPaintableInterface>) {
        table.pointee.snapshot = { pointer, snapshot, width, height in
            guard let snapshot else { return }
            FramePaintable.from(pointer)?.draw(OpaquePointer(snapshot.raw), width: width, height: height)
        }
        table.pointee.get_intrinsic_width = { Int32(FramePaintable.from($0)?.size.width.rounded() ?? 0) }
        table.pointee.get_intrinsic_height = { Int32(FramePaintable.from($0)?.size.height.rounded() ?? 0) }
        table.pointee.get_intrinsic_aspect_ratio = {
            FramePaintable.from($0)?.aspectRatio ?? 0
        }
    }
}
#endif
