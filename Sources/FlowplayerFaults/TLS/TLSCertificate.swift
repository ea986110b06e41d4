/// The certificates with which a `FaultServer` can answer. Frozen.
public enum TLSCertificate: String, CaseIterable, Codable, Hashable, Sendable {
    /// In order, for a client that trusts `FaultServer.certificateAuthority`.
    case trusted
    /// For the right host, but by itself.
    case selfSigned
    /// By the right authority, but only until February 2020.
    case expired
    /// By the right authority, but for `elsewhere.invalid`.
    case otherHost
}
