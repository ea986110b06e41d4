#if Systemd
import CSystemd

/// A message of sd-bus, for use on the main actor.
struct DBusMessage {
    let pointer: OpaquePointer

    // MARK: Writing

    /// - Throws: if a value does not match its type, or a path is invalid.
    func append(_ value: DBusValue) throws(DBusError) {
        switch value {
        case .byte(let value): try append(value, "y")
        // The API takes a C int.
        case .bool(let value): try append(value ? 1 as Int32 : 0, "b")
        case .int16(let value): try append(value, "n")
        case .uint16(let value): try append(value, "q")
        case .int32(let value): try append(value, "i")
        case .uint32(let value): try append(value, "u")
        case .int64(let value): try append(value, "x")
        case .uint64(let value): try append(value, "t")
        case .double(let value): try append(value, "d")
        case .descriptor(let value): try append(value.number, "h")
        case .string(let value): try append(value, "s")
        case .objectPath(let value): try append(value, "o")
        case .signature(let value): try append(value, "g")
        case .array(let type, let values): try append(values, in: "a", of: type)
        case .structure(let fields): try append(fields, in: "r", of: fields.map(\.signature).joined())
        case .entry(let key, let value): try append([key, value], in: "e", of: key.signature + value.signature)
        case .variant(let content): try append([content], in: "v", of: content.signature)
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

    /// The error of an error reply; `nil` for other messages.
    var error: DBusError? {
        guard sd_bus_message_is_method_error(pointer, nil) > 0 else { return nil }
        let error = sd_bus_message_get_error(pointer)?.pointee
        return DBusError(
            name: error?.name.map { String(cString: $0) } ?? "",
            message: error?.message.map { String(cString: $0) } ?? "")
    }

    /// The values from here to the end of the message, or of the container that it is in.
    func values() throws(DBusError) -> [DBusValue] {
        var values: [DBusValue] = []
        while let (type, contents) = try next() { values.append(try value(type, contents)) }
        return values
    }

    private func next() throws(DBusError) -> (Unicode.Scalar, String)? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try check(sd_bus_message_peek_type(pointer, &type, &contents)) > 0 else { return nil }
        return (Unicode.Scalar(UInt8(bitPattern: type)), contents.map { String(cString: $0) } ?? "")
    }

    private func value(_ type: Unicode.Scalar, _ contents: String) throws(DBusError) -> DBusValue {
        switch type {
        case "y": return .byte(try read(type, 0))
        case "b": return .bool(try read(type, 0 as Int32) != 0)
        case "n": return .int16(try read(type, 0))
        case "q": return .uint16(try read(type, 0))
        case "i": return .int32(try read(type, 0))
        case "u": return .uint32(try read(type, 0))
        case "x": return .int64(try read(type, 0))
        case "t": return .uint64(try read(type, 0))
        case "d": return .double(try read(type, 0))
        case "s": return .string(try text(type))
        case "o": return .objectPath(try text(type))
        case "g": return .signature(try text(type))
        case "h":
            // The message closes its own descriptor.
            guard let descriptor = DBusDescriptor(copying: try read(type, -1)) else { throw .noDescriptors }
            return .descriptor(descriptor)
        case "a": return .array(of: contents, try content(type, contents))
        case "r": return .structure(try content(type, contents))
        default:
            // Entries and variants have a fixed number of parts, which sd-bus has checked.
            let parts = try content(type, contents)
            return type == "e" ? .entry(parts[0], parts[1]) : .variant(parts[0])
        }
    }

    private func read<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ empty: Value) throws(DBusError) -> Value {
        var value = empty
        try check(withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(pointer, code(type), $0) })
        return value
    }

    private func text(_ type: Unicode.Scalar) throws(DBusError) -> String {
        var text: UnsafePointer<CChar>?
        try check(sd_bus_message_read_basic(pointer, code(type), &text))
        return text.map { String(cString: $0) } ?? ""
    }

    private func content(_ type: Unicode.Scalar, _ contents: String) throws(DBusError) -> [DBusValue] {
        try check(sd_bus_message_enter_container(pointer, code(type), contents))
        let content = try values()
        try check(sd_bus_message_exit_container(pointer))
        return content
    }

    private func code(_ type: Unicode.Scalar) -> CChar { CChar(type.value) }
}

extension DBusError {
    fileprivate static let noDescriptors = Self(
        name: "System.Error.EMFILE", message: "this process can open no more files")
}

/// - Throws: if the status is a negative error number.
@discardableResult
func check(_ status: Int32) throws(DBusError) -> Int32 {
    if status < 0 { throw DBusError(status: status) }
    return status
}
#endif
