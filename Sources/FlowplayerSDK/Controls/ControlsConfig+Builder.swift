import Foundation

extension ControlsConfig {
    /// Collects what a host wants of its controls. Setters may be chained, or be statements of their own.
    public final class Builder {
        private var config = ControlsConfig()

        init() {}

        /// - Parameter url: the address of controls of the host's own; an empty text and what is no address mean none.
        @discardableResult
        public func setControlsUrl(_ url: String) -> Builder {
            set(\.controlsURL, url.isEmpty ? nil : URL(string: url))
        }

        /// Whether to show a control that turns the sound off and on.
        @discardableResult
        public func setMuteControl(_ isShown: Bool) -> Builder { set(\.showsMuteControl, isShown) }

        /// Whether to show a control for the volume.
        @discardableResult
        public func setVolumeControl(_ isShown: Bool) -> Builder { set(\.showsVolumeControl, isShown) }

        /// Whether to show a control that fills the screen.
        @discardableResult
        public func setFullscreenControl(_ isShown: Bool) -> Builder { set(\.showsFullscreenControl, isShown) }

        /// Whether to show controls at all.
        @discardableResult
        public func setControlsVisible(_ areVisible: Bool) -> Builder { set(\.areControlsVisible, areVisible) }

        /// Whether the playhead has a handle to drag.
        @discardableResult
        public func setUseDragHandle(_ isUsed: Bool) -> Builder { set(\.usesDragHandle, isUsed) }

        /// Whether the bar of controls is a thin one.
        @discardableResult
        public func setUseThinControlBar(_ isUsed: Bool) -> Builder { set(\.usesThinControlBar, isUsed) }

        /// Whether to show the second form of the play control.
        @discardableResult
        public func setUsePlay2(_ isUsed: Bool) -> Builder { set(\.usesPlay2, isUsed) }

        /// Whether to show the third form of the play control.
        @discardableResult
        public func setUsePlay3(_ isUsed: Bool) -> Builder { set(\.usesPlay3, isUsed) }

        /// Sets a value that has no setter. Of several under one key, the last one counts.
        ///
        /// - Parameters:
        ///   - key: `speed.options`, `speed.labels`, or a key that the host's controls know.
        ///   - value: for `speed.options` a list of numbers above 0, for `speed.labels` a list of texts; else a `Bool`,
        ///     a number, a text or a list of these. What is none of that is left out, and its key is among
        ///     `ignoredKeys`.
        @discardableResult
        public func setCustom(key: String, value: Any) -> Builder {
            let isUsable =
                switch key {
                case "speed.options": choose(\.chosenSpeeds, from: value, by: Self.rate)
                case "speed.labels": choose(\.chosenLabels, from: value) { $0 as? String }
                default: keep(value, for: key)
                }
            if isUsable { config.ignored.remove(key) } else { config.ignored.insert(key) }
            return self
        }

        /// Enables controls by their names, beside those that are enabled already. See `ControlPlugin`.
        @discardableResult
        public func enablePlugins(_ names: [String]) -> Builder {
            for plugin in names.map(ControlPlugin.init) where !config.plugins.contains(plugin) {
                config.plugins.append(plugin)
            }
            return self
        }

        /// What has been set so far. Setters after it change what is built next.
        public func build() -> ControlsConfig { config }

        private func set<Value>(_ key: WritableKeyPath<ControlsConfig, Value>, _ value: Value) -> Builder {
            config[keyPath: key] = value
            return self
        }

        /// Whether all of the value could be used.
        private func choose<Element>(
            _ key: WritableKeyPath<ControlsConfig, [Element?]>, from value: Any, by convert: (Any) -> Element?
        ) -> Bool {
            let list = value as? [Any]
            let chosen = list?.map(convert) ?? []
            config[keyPath: key] = chosen
            return list != nil && chosen.allSatisfy { $0 != nil }
        }

        private func keep(_ value: Any, for key: String) -> Bool {
            config.customValues[key] = ControlValue(value)
            return config.customValues[key] != nil
        }

        private static func rate(_ value: Any) -> Double? {
            guard case .number(let rate)? = ControlValue(scalar: value), rate > 0 else { return nil }
            return rate
        }
    }
}
