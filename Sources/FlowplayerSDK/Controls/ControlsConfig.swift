import Foundation

/// The configuration of the controls of a view. A builder creates it; it does not change afterwards.
///
/// ```swift
/// let config = ControlsConfig.create()
///     .setMuteControl(false)
///     .setCustom(key: "speed.options", value: [1, 1.5, 2])
///     .enablePlugins(["speed", "subtitles"])
///     .build()
/// ```
public struct ControlsConfig: Hashable, Sendable {
    /// The default playback rates.
    public static let defaultSpeedOptions: [Double] = [0.5, 0.75, 1, 1.25, 1.5, 2]

    /// The address of custom controls, or `nil` for the view's controls.
    public internal(set) var controlsURL: URL?
    /// `true` shows a mute control. Default: `true`.
    public internal(set) var showsMuteControl = true
    /// `true` shows a volume control. Default: `true`.
    public internal(set) var showsVolumeControl = true
    /// `true` shows a full-screen control. Default: `true`.
    public internal(set) var showsFullscreenControl = true
    /// `true` shows controls. Default: `true`.
    public internal(set) var areControlsVisible = true
    /// `true` shows a drag handle on the seek bar. Default: `false`.
    public internal(set) var usesDragHandle = false
    /// `true` shows a thin control bar. Default: `false`.
    public internal(set) var usesThinControlBar = false
    /// `true` shows the second design of the play control. Default: `false`.
    public internal(set) var usesPlay2 = false
    /// `true` shows the third design of the play control. Default: `false`.
    public internal(set) var usesPlay3 = false
    /// The optional controls that the host enabled, in its order, without duplicates.
    public internal(set) var plugins: [Plugin] = []

    /// The rates of `speed.options`. Invalid values are `nil`.
    var chosenSpeeds: [Double?] = []
    /// The strings of `speed.labels`. Invalid values are `nil`.
    var chosenLabels: [String?] = []
    var customValues: [String: Value] = [:]
    var ignored: Set<String> = []

    /// Returns a builder with the default values.
    public static func create() -> Builder { Builder() }

    /// The playback rates to offer, in the host's order. All are finite and above 0.
    public var speedOptions: [Double] { speeds.map(\.rate) }

    /// The labels of `speedOptions`, in the same order. A missing label becomes one like `1.5x`.
    public var speedLabels: [String] { speeds.map(\.label) }

    /// The sorted keys of ignored values: values of unsupported types, and lists with invalid rates or labels.
    public var ignoredKeys: [String] { ignored.sorted() }

    /// Returns the value of a custom key, or `nil` if there is none or it was ignored.
    public func customValue(for key: String) -> Value? { customValues[key] }

    /// Pairs each rate with the label at the same index. An invalid rate drops its label too.
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
    /// The number without a fraction if it is whole: `2`, `1.5`.
    var shortText: String {
        let text = description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension ControlsConfig {
    /// An optional control.
    public struct Plugin: RawRepresentable, Hashable, Sendable {
        /// Selects the rate from `ControlsConfig.speedOptions`.
        public static let speed = Self(rawValue: "speed")
        /// Selects the audio track.
        public static let audioSelection = Self(rawValue: "asel")
        /// Selects the subtitle track.
        public static let subtitles = Self(rawValue: "subtitles")
        /// Selects the quality.
        public static let qualitySelection = Self(rawValue: "qsel")

        /// The name that enables the control.
        public let rawValue: String
        /// Creates a custom control. A view ignores controls that it does not support.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of a custom key of the controls. Frozen.
    public enum Value: Hashable, Sendable {
        /// A Boolean.
        case bool(Bool)
        /// A finite number of any numeric type.
        case number(Double)
        /// A string.
        case string(String)
        /// A list of Booleans, numbers and strings.
        case list([Value])

        /// Returns `nil` for other types, for numbers that are not finite, and for lists with such values or with lists.
        init?(_ value: Any) {
            if let list = value as? [Any] {
                let scalars = list.compactMap(Self.init(scalar:))
                guard scalars.count == list.count else { return nil }
                self = .list(scalars)
            } else {
                self.init(scalar: value)
            }
        }

        init?(scalar value: Any) {
            switch value {
            case let bool as Bool where type(of: value) != NSNumber.self: self = .bool(bool)
            case let string as String: self = .string(string)
            default:
                guard let number = (value as? NSNumber)?.doubleValue, number.isFinite else { return nil }
                self = .number(number)
            }
        }

        /// The number, if it is a valid playback rate.
        var rate: Double? { if case .number(let rate) = self, rate > 0 { rate } else { nil } }

        var text: String? { if case .string(let text) = self { text } else { nil } }
    }
}
