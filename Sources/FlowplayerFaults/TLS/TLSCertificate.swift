/// The certificates of a `FaultServer`. Frozen.
public enum TLSCertificate: String, CaseIterable, Codable, Hashable, Sendable {
    /// A valid certificate for clients that trust `FaultServer.certificateAuthority`.
    case trusted
    /// A self-signed certificate for the right host.
    case selfSigned
    /// A certificate of the right authority that expired in February 2020.
    case expired
    /// A certificate of the right authority for the host `elsewhere.invalid`.
    case otherHost
}
