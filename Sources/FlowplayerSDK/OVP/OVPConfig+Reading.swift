import Foundation

extension OVPConfig {
    /// The longest config that is read, in bytes: 1 MB.
    static let byteLimit = 1_000_000

    static let tooLong = OVPError.invalidConfig(reason: "It is longer than 1 MB.")

    /// Reads JSON of whichever form, and says what is wrong with it.
    static func read<Form: Decodable>(
        _ form: Form.Type, from data: Data, decoder: JSONDecoder = JSONDecoder()
    ) throws(OVPError) -> Form {
        guard !data.isEmpty else { throw .invalidConfig(reason: "It is empty.") }
        guard data.count <= byteLimit else { throw tooLong }
        do { return try decoder.decode(form, from: data) } catch { throw OVPError(error) }
    }

    /// With addresses that need no base.
    func playable(at base: URL) throws(OVPError) -> OVPConfig {
        let config = resolved(against: base)
        guard config.mediaURL != nil else { throw .invalidConfig(reason: "`src` names nothing that can be played.") }
        return config
    }
}
