/// The version of this SDK.
public enum FlowplayerVersion {
    public static let current = "0.1.0"
}
