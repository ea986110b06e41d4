#if Systemd
/// What a bus says when somebody wants a name.
package enum DBusNameReply: Equatable, Sendable {
    /// It is the connection's.
    case owned
    /// It is somebody else's. Nobody waits for it.
    case taken
}

extension DBusConnection {
    /// Asks for a name, and does not wait for it if somebody else has it.
    ///
    /// - Parameter reply: called once, on the queue. Fails with what the bus says if the name is none, or not allowed.
    package func own(_ name: String, reply: @escaping @Sendable (Result<DBusNameReply, DBusError>) -> Void) {
        let doNotQueue = 4 as UInt32
        let request = DBusCall(
            "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "RequestName",
            [.string(name), .uint32(doNotQueue)])
        call(request) { result in
            reply(
                result.map { values in
                    // Primary owner now, or before already.
                    [.uint32(1), .uint32(4)].contains(values.first) ? .owned : .taken
                })
        }
    }
}

/// The names of D-Bus, as its specification says what they are made of.
package enum DBusNames {
    /// One part of a name of a bus, from any text: what may not stand there becomes `_`.
    package static func element(from text: String) -> String {
        let element = String(text.unicodeScalars.map { isAllowed($0) ? Character($0) : "_" })
        let begins = element.unicodeScalars.first.map { !("0"..."9").contains($0) } ?? false
        return begins ? element : "_" + element
    }

    private static func isAllowed(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
#endif
