/// Gets what a platform says of a medium. `HTTPOVPClient` asks a server, `DirectoryOVPClient` reads files; a host may
/// have its own, for a platform that speaks otherwise.
public protocol OVPClient: Sendable {
    /// The config of a medium, with addresses that need no base: see `OVPConfig.resolved(against:)`.
    ///
    /// May be called from everywhere, several times at once, and holds nobody. Ends early if its task is cancelled;
    /// what it throws then is of no account.
    func config(for request: OVPRequest) async throws(OVPError) -> OVPConfig
}
