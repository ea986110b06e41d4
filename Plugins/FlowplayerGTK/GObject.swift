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

/// The arguments of a signal, counted from 0 behind its object. Nothing checks their types.
@MainActor
struct SignalArguments {
    fileprivate let values: UnsafePointer<GValue>

    func double(_ index: Int) -> Double { g_value_get_double(values + index) }
    func int(_ index: Int) -> Int { Int(g_value_get_int(values + index)) }
    func uint(_ index: Int) -> UInt32 { g_value_get_uint(values + index) }
    func flags(_ index: Int) -> UInt32 { g_value_get_flags(values + index) }
    func string(_ index: Int) -> String? {
        guard let variant = g_value_get_variant(values + index) else { return nil }
        return g_variant_get_string(variant, nil).map { String(cString: $0) }
    }
    func pointer(_ index: Int) -> UnsafeMutableRawPointer? { g_value_peek_pointer(values + index) }
}

@MainActor
enum Signal {
    /// Calls a handler with each signal, until the object is released. The change of a property is the signal `notify::name`.
    static func connect(_ object: some ObjectPointer, _ name: String, _ handler: @escaping @MainActor () -> Void) {
        handle(object, name) { _ in
            handler()
            return false
        }
    }

    /// The same, with the arguments of the signal.
    static func connect(
        _ object: some ObjectPointer, _ name: String, _ handler: @escaping @MainActor (SignalArguments) -> Void
    ) {
        handle(object, name) { arguments in
            handler(arguments)
            return false
        }
    }

    /// The same, for signals with an answer, such as `key-pressed`: `true` if nobody else is to receive the event.
    static func handle(
        _ object: some ObjectPointer, _ name: String, _ handler: @escaping @MainActor (SignalArguments) -> Bool
    ) {
        let data = Unmanaged.passRetained(SignalHandler(handler)).toOpaque()
        let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), data)!
        g_closure_add_finalize_notifier(closure, data) { data, _ in
            guard let data else { return }
            Unmanaged<SignalHandler>.fromOpaque(data).release()
        }
        g_closure_set_marshal(closure) { closure, result, _, values, _, _ in
            guard let data = closure?.pointee.data, let values else { return }
            let handler = Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
            let answer = handler.call(SignalArguments(values: values + 1))
            if let result { g_value_set_boolean(result, answer ? 1 : 0) }
        }
        g_signal_connect_closure(object.raw, name, closure, 0)
    }
}

/// The handler of a signal. Its object keeps it.
private final class SignalHandler {
    let call: @MainActor (SignalArguments) -> Bool

    init(_ call: @escaping @MainActor (SignalArguments) -> Bool) { self.call = call }
}
#endif
