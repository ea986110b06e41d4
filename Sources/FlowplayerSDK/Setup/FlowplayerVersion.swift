/// The version of this SDK.
public enum FlowplayerVersion {
    /// By semantic versioning: below 1.0 the API may still change with the second number.
    public static let current = "0.2.0"
}
