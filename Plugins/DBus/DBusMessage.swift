import CSystemd
import Foundation

/// A message of sd-bus, for use on the main actor.
final class DBusMessage {
    let pointer: OpaquePointer?

    /// Keeps a message that was received.
    init(received pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) }

    /// Creates a message with values.
    ///
    /// - Throws: if a value does not match its type, or a path or a name is invalid.
    init(_ values: [DBusValue], as create: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws(DBusError) {
        var pointer: OpaquePointer?
        let status = create(&pointer)
        self.pointer = pointer
        try check(status)
        for value in values { try append(value) }
    }

    deinit { sd_bus_message_unref(pointer) }

    // MARK: Writing

    private func append(_ value: DBusValue) throws(DBusError) {
        switch value {
        // The API takes a C int.
        case .bool(let value): try append(value ? 1 as Int32 : 0, "b")
        case .uint32(let value): try append(value, "u")
        case .int64(let value): try append(value, "x")
        case .double(let value): try append(value, "d")
        case .string(let value): try append(value, "s")
        case .objectPath(let value): try append(value, "o")
        case .array(let type, let values): try append(values, in: "a", of: type)
        case .structure(let fields): try append(fields, in: "r", of: fields.map(\.signature).joined())
        case .entry(let key, let value): try append([key, value], in: "e", of: key.signature + value.signature)
        case .variant(let content): try append([content], in: "v", of: content.signature)
        case .descriptor, .other: throw .invalidArguments("a value of type \(value.signature) cannot be sent")
        }
    }

    private func append(_ value: some BitwiseCopyable, _ type: Unicode.Scalar) throws(DBusError) {
        try check(withUnsafePointer(to: value) { sd_bus_message_append_basic(pointer, code(type), $0) })
    }

    private func append(_ value: String, _ type: Unicode.Scalar) throws(DBusError) {
        try check(value.withCString { sd_bus_message_append_basic(pointer, code(type), $0) })
    }

    private func append(_ values: [DBusValue], in container: Unicode.Scalar, of type: String) throws(DBusError) {
        try check(sd_bus_message_open_container(pointer, code(container), type))
        for value in values { try append(value) }
        try check(sd_bus_message_close_container(pointer))
    }

    // MARK: Reading

    var sender: String { text(sd_bus_message_get_sender(pointer)) }
    var interface: String { text(sd_bus_message_get_interface(pointer)) }
    var member: String { text(sd_bus_message_get_member(pointer)) }

    /// The values of a reply.
    ///
    /// - Throws: the error of an error reply.
    func reply() throws(DBusError) -> [DBusValue] {
        guard sd_bus_message_is_method_error(pointer, nil) > 0 else { return try values() }
        let error = sd_bus_message_get_error(pointer)?.pointee
        throw DBusError(name: text(error?.name), message: text(error?.message))
    }

    /// The values from here to the end of the message, or of the container that it is in.
    func values() throws(DBusError) -> [DBusValue] {
        var values: [DBusValue] = []
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        while try check(sd_bus_message_peek_type(pointer, &type, &contents)) > 0 {
            values.append(try value(Unicode.Scalar(UInt8(bitPattern: type)), text(contents)))
        }
        return values
    }

    private func value(_ type: Unicode.Scalar, _ contents: String) throws(DBusError) -> DBusValue {
        switch type {
        case "b": return .bool(try read(type, 0 as Int32) != 0)
        case "u": return .uint32(try read(type, 0))
        case "x": return .int64(try read(type, 0))
        case "d": return .double(try read(type, 0))
        case "s": return .string(text(try read(type, nil)))
        case "o": return .objectPath(text(try read(type, nil)))
        case "h":
            // The message closes its own descriptor.
            let copy = try fcntl(read(type, -1), F_DUPFD_CLOEXEC, 0)
            if copy < 0 { throw DBusError(status: -errno) }
            return .descriptor(FileHandle(fileDescriptor: copy, closeOnDealloc: true))
        case "a": return .array(of: contents, try content(type, contents))
        case "r": return .structure(try content(type, contents))
        case "e", "v":
            // Entries and variants have a fixed number of parts, which sd-bus has checked.
            let parts = try content(type, contents)
            return type == "e" ? .entry(parts[0], parts[1]) : .variant(parts[0])
        default:
            try check(sd_bus_message_skip(pointer, nil))
            return .other(type: String(type))
        }
    }

    private func read<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ empty: Value) throws(DBusError) -> Value {
        var value = empty
        try check(withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(pointer, code(type), $0) })
        return value
    }

    private func content(_ type: Unicode.Scalar, _ contents: String) throws(DBusError) -> [DBusValue] {
        try check(sd_bus_message_enter_container(pointer, code(type), contents))
        let content = try values()
        try check(sd_bus_message_exit_container(pointer))
        return content
    }

    private func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }

    private func code(_ type: Unicode.Scalar) -> CChar { CChar(type.value) }
}
