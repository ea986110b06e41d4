#if Systemd
/// A call of a method of this program.
package struct DBusRequest: Sendable {
    /// The unique name of who calls.
    package let sender: String
    package let path: String
    /// Empty if the caller does not say which of the object's interfaces it means.
    package let interface: String
    package let member: String
    package let arguments: [DBusValue]
    /// Answers. Only the first answer counts; a request without one ends with the connection.
    package let answer: @Sendable (Result<[DBusValue], DBusError>) -> Void
}
#endif
