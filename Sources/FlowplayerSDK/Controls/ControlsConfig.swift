import Foundation

/// How a view shows its controls. Made with a builder, and the same ever after.
///
/// ```swift
/// let config = ControlsConfig.create()
///     .setMuteControl(false)
///     .setCustom(key: "speed.options", value: [1, 1.5, 2])
///     .enablePlugins(["speed", "subtitles"])
///     .build()
/// ```
public struct ControlsConfig: Hashable, Sendable {
    /// The rates that a viewer can choose from where the host names none.
    public static let defaultSpeedOptions: [Double] = [0.5, 0.75, 1, 1.25, 1.5, 2]

    /// Where controls of the host's own are; `nil` for the view's.
    public internal(set) var controlsURL: URL?
    /// Whether there is a control that turns the sound off and on. `true` by default.
    public internal(set) var showsMuteControl = true
    /// Whether there is a control for the volume. `true` by default.
    public internal(set) var showsVolumeControl = true
    /// Whether there is a control that fills the screen. `true` by default.
    public internal(set) var showsFullscreenControl = true
    /// Whether there are controls at all. `true` by default.
    public internal(set) var areControlsVisible = true
    /// Whether the playhead has a handle to drag. `false` by default.
    public internal(set) var usesDragHandle = false
    /// Whether the bar of controls is a thin one. `false` by default.
    public internal(set) var usesThinControlBar = false
    /// Whether the second form of the play control is shown. `false` by default.
    public internal(set) var usesPlay2 = false
    /// Whether the third form of the play control is shown. `false` by default.
    public internal(set) var usesPlay3 = false
    /// The controls that the host enabled, in the order in which it named them, each once.
    public internal(set) var plugins: [ControlPlugin] = []

    /// `nil` in the place of a value that is no rate.
    var chosenSpeeds: [Double?] = []
    /// `nil` in the place of a value that is no text.
    var chosenLabels: [String?] = []
    var customValues: [String: ControlValue] = [:]
    var ignored: Set<String> = []

    /// A builder with which a host says what differs from the defaults.
    public static func create() -> Builder { Builder() }

    /// The rates that a viewer can choose from, in media seconds a second: finite and above 0, in the host's order.
    public var speedOptions: [Double] { speeds.map(\.rate) }

    /// What to show for each of `speedOptions`, as many and in the same order. Where the host gave no label, one like
    /// `1.5x`.
    public var speedLabels: [String] { speeds.map(\.label) }

    /// The keys of what cannot be used, sorted: values of types that `ControlValue` has not, and rates and labels of
    /// which some are none.
    public var ignoredKeys: [String] { ignored.sorted() }

    /// What the host set under a key of its own; `nil` if nothing, or if the value was ignored.
    public func customValue(for key: String) -> ControlValue? { customValues[key] }

    /// A label belongs to the rate in the same place, even if a rate before it is left out.
    private var speeds: [(rate: Double, label: String)] {
        let chosen = chosenSpeeds.contains { $0 != nil } ? chosenSpeeds : Self.defaultSpeedOptions
        return chosen.enumerated().compactMap { index, rate in
            guard let rate else { return nil }
            let label = index < chosenLabels.count ? chosenLabels[index] : nil
            return (rate, label ?? "\(rate.shortText)x")
        }
    }
}

extension Double {
    /// Without a fraction where there is none: `2`, `1.5`.
    var shortText: String {
        let text = description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
