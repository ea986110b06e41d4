#if GTK
import CGTK

/// A pointer to an object of GTK. Complete C structures and opaque ones have different pointer types in Swift.
protocol ObjectPointer {
    var raw: UnsafeMutableRawPointer { get }
}

extension OpaquePointer: ObjectPointer {
    var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension UnsafeMutablePointer: ObjectPointer {
    var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension UnsafeMutableRawPointer: ObjectPointer {
    var raw: UnsafeMutableRawPointer { self }
}

/// Casts such as C's `GTK_WIDGET()`. Nothing checks the type of the object.
extension ObjectPointer {
    var opaque: OpaquePointer { OpaquePointer(raw) }

    func cast<Target>(to type: Target.Type = Target.self) -> UnsafeMutablePointer<Target> {
        raw.assumingMemoryBound(to: type)
    }

    var widget: UnsafeMutablePointer<GtkWidget> { cast() }
}

/// Keeps a reference to an object of GTK until the last Swift reference is released.
@MainActor
final class ObjectReference {
    let pointer: UnsafeMutableRawPointer

    /// - Parameter object: an object that may still have the floating reference of a new widget.
    init(_ object: some ObjectPointer) { pointer = g_object_ref_sink(object.raw) }

    /// - Parameter object: an object whose reference the caller has.
    init(owned object: some ObjectPointer) { pointer = object.raw }

    isolated deinit { g_object_unref(pointer) }
}

// MARK: Signals

/// The handler of a signal. Its object keeps it.
private final class HandlerBox<Handler> {
    let handler: Handler

    init(_ handler: Handler) { self.handler = handler }

    static func handler(_ data: gpointer?) -> Handler? {
        data.map { Unmanaged<HandlerBox>.fromOpaque($0).takeUnretainedValue().handler }
    }
}

/// Each function below is for the signals with its parameters. A handler with other parameters would take an argument of the
/// signal for its own data.
@MainActor
enum Signal {
    typealias Object = UnsafeMutableRawPointer?

    /// A signal without parameters, such as `clicked` and `map`.
    static func connect(_ object: some ObjectPointer, _ name: String, _ handler: @escaping @MainActor () -> Void) {
        let callback: @convention(c) (Object, gpointer?) -> Void = { _, data in
            HandlerBox<@MainActor () -> Void>.handler(data)?()
        }
        attach(object, name, unsafeBitCast(callback, to: GCallback.self), HandlerBox(handler))
    }

    /// The change of a property, `notify::name`.
    static func connectChange(
        _ object: some ObjectPointer, of property: String, _ handler: @escaping @MainActor () -> Void
    ) {
        let callback: @convention(c) (Object, Object, gpointer?) -> Void = { _, _, data in
            HandlerBox<@MainActor () -> Void>.handler(data)?()
        }
        attach(object, "notify::" + property, unsafeBitCast(callback, to: GCallback.self), HandlerBox(handler))
    }

    /// A signal with a place, such as `motion` and `enter` of a motion controller.
    static func connectPoint(
        _ object: some ObjectPointer, _ name: String, _ handler: @escaping @MainActor (Double, Double) -> Void
    ) {
        let callback: @convention(c) (Object, Double, Double, gpointer?) -> Void = { _, x, y, data in
            HandlerBox<@MainActor (Double, Double) -> Void>.handler(data)?(x, y)
        }
        attach(object, name, unsafeBitCast(callback, to: GCallback.self), HandlerBox(handler))
    }

    /// The signal `pressed` or `released` of a click, with the number of clicks in a row.
    static func connectPress(
        _ object: some ObjectPointer, _ name: String, _ handler: @escaping @MainActor (Int) -> Void
    ) {
        let callback: @convention(c) (Object, gint, Double, Double, gpointer?) -> Void = { _, count, _, _, data in
            HandlerBox<@MainActor (Int) -> Void>.handler(data)?(Int(count))
        }
        attach(object, name, unsafeBitCast(callback, to: GCallback.self), HandlerBox(handler))
    }

    /// The signal `scroll`. The handler returns `true` if nobody else is to receive it.
    static func connectScroll(_ object: some ObjectPointer, _ handler: @escaping @MainActor (Double, Double) -> Bool) {
        let callback: @convention(c) (Object, Double, Double, gpointer?) -> gboolean = { _, x, y, data in
            HandlerBox<@MainActor (Double, Double) -> Bool>.handler(data)?(x, y) == true ? 1 : 0
        }
        attach(object, "scroll", unsafeBitCast(callback, to: GCallback.self), HandlerBox(handler))
    }

    /// The signal `key-pressed`, with the key and the modifiers. The handler returns `true` if nobody else is to receive it.
    static func connectKey(_ object: some ObjectPointer, _ handler: @escaping @MainActor (UInt32, UInt32) -> Bool) {
        let callback: @convention(c) (Object, guint, guint, GdkModifierType, gpointer?) -> gboolean = {
            _, key, _, modifiers, data in
            HandlerBox<@MainActor (UInt32, UInt32) -> Bool>.handler(data)?(key, modifiers.rawValue) == true ? 1 : 0
        }
        attach(object, "key-pressed", unsafeBitCast(callback, to: GCallback.self), HandlerBox(handler))
    }

    /// The signal `event` of a legacy controller. The handler returns `true` if nobody else is to receive it.
    static func connectEvent(_ object: some ObjectPointer, _ handler: @escaping @MainActor (OpaquePointer) -> Bool) {
        let callback: @convention(c) (Object, Object, gpointer?) -> gboolean = { _, event, data in
            guard let event else { return 0 }
            return HandlerBox<@MainActor (OpaquePointer) -> Bool>.handler(data)?(event.opaque) == true ? 1 : 0
        }
        attach(object, "event", unsafeBitCast(callback, to: GCallback.self), HandlerBox(handler))
    }

    /// The signal `drop`. The handler returns `true` if it accepts the value.
    static func connectDrop(
        _ object: some ObjectPointer, _ handler: @escaping @MainActor (UnsafePointer<GValue>) -> Bool
    ) {
        let callback: @convention(c) (Object, UnsafePointer<GValue>?, Double, Double, gpointer?) -> gboolean = {
            _, value, _, _, data in
            guard let value else { return 0 }
            return HandlerBox<@MainActor (UnsafePointer<GValue>) -> Bool>.handler(data)?(value) == true ? 1 : 0
        }
        attach(object, "drop", unsafeBitCast(callback, to: GCallback.self), HandlerBox(handler))
    }

    /// The signal `activate` of an action whose parameter is a string.
    static func connectAction(_ object: some ObjectPointer, _ handler: @escaping @MainActor (String) -> Void) {
        let callback: @convention(c) (Object, OpaquePointer?, gpointer?) -> Void = { _, parameter, data in
            guard let parameter, let text = g_variant_get_string(parameter, nil) else { return }
            HandlerBox<@MainActor (String) -> Void>.handler(data)?(String(cString: text))
        }
        attach(object, "activate", unsafeBitCast(callback, to: GCallback.self), HandlerBox(handler))
    }

    private static func attach(_ object: some ObjectPointer, _ name: String, _ callback: GCallback, _ box: AnyObject) {
        g_signal_connect_data(
            object.raw, name, callback, Unmanaged.passRetained(box).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<AnyObject>.fromOpaque(data).release()
            }, GConnectFlags(0))
    }
}
#endif
