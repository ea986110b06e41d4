#if GStreamer
import CGStreamer

/// An object that GStreamer passes to C callbacks as their context.
protocol CallbackContext: AnyObject {}

extension CallbackContext {
    /// The object of a context.
    static func of(_ context: UnsafeMutableRawPointer?) -> Self {
        Unmanaged<Self>.fromOpaque(context!).takeUnretainedValue()
    }

    /// A context that retains the object until `releaseContext`.
    var retainedContext: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }
}

/// Releases the object of a context.
let releaseContext: GDestroyNotify = { context in
    if let context { Unmanaged<AnyObject>.fromOpaque(context).release() }
}
#endif
