import Foundation

extension ControlsConfig {
    /// Builds a `ControlsConfig`. The setters can be chained.
    public final class Builder {
        private var config = ControlsConfig()

        init() {}

        /// Sets the address of custom controls.
        ///
        /// - Parameter url: the address. An empty or invalid string means none.
        @discardableResult public func setControlsUrl(_ url: String) -> Builder {
            set(\.controlsURL, url.isEmpty ? nil : URL(string: url))
        }

        /// Shows or hides the mute control.
        @discardableResult public func setMuteControl(_ isShown: Bool) -> Builder { set(\.showsMuteControl, isShown) }

        /// Shows or hides the volume control.
        @discardableResult public func setVolumeControl(_ isShown: Bool) -> Builder {
            set(\.showsVolumeControl, isShown)
        }

        /// Shows or hides the full-screen control.
        @discardableResult public func setFullscreenControl(_ isShown: Bool) -> Builder {
            set(\.showsFullscreenControl, isShown)
        }

        /// Shows or hides all controls.
        @discardableResult public func setControlsVisible(_ areVisible: Bool) -> Builder {
            set(\.areControlsVisible, areVisible)
        }

        /// Shows or hides the drag handle on the seek bar.
        @discardableResult public func setUseDragHandle(_ isUsed: Bool) -> Builder { set(\.usesDragHandle, isUsed) }

        /// Selects a thin control bar.
        @discardableResult public func setUseThinControlBar(_ isUsed: Bool) -> Builder {
            set(\.usesThinControlBar, isUsed)
        }

        /// Selects the second design of the play control.
        @discardableResult public func setUsePlay2(_ isUsed: Bool) -> Builder { set(\.usesPlay2, isUsed) }

        /// Selects the third design of the play control.
        @discardableResult public func setUsePlay3(_ isUsed: Bool) -> Builder { set(\.usesPlay3, isUsed) }

        /// Sets a value by its key. A second value replaces the first.
        ///
        /// - Parameters:
        ///   - key: `speed.options`, `speed.labels`, or a key of the host's controls.
        ///   - value: a list of numbers above 0 for `speed.options`, a list of strings for `speed.labels`. For other keys a `Bool`, a
        ///     number, a string or a list of these. Other values are ignored, and `ignoredKeys` contains their keys.
        @discardableResult public func setCustom(key: String, value: Any) -> Builder {
            let list = (value as? [Any])?.map { Value(scalar: $0) }
            var isValid = list != nil
            switch key {
            case "speed.options":
                config.chosenSpeeds = list?.map { $0?.rate } ?? []
                isValid = isValid && !config.chosenSpeeds.contains(nil)
            case "speed.labels":
                config.chosenLabels = list?.map { $0?.text } ?? []
                isValid = isValid && !config.chosenLabels.contains(nil)
            default:
                config.customValues[key] = Value(value)
                isValid = config.customValues[key] != nil
            }
            if isValid { config.ignored.remove(key) } else { config.ignored.insert(key) }
            return self
        }

        /// Enables more optional controls by their names. See `Plugin`.
        @discardableResult public func enablePlugins(_ names: [String]) -> Builder {
            for plugin in names.map(Plugin.init) where !config.plugins.contains(plugin) {
                config.plugins.append(plugin)
            }
            return self
        }

        /// Returns a configuration with the current values. The builder can be used again.
        public func build() -> ControlsConfig { config }

        private func set<Value>(_ key: WritableKeyPath<ControlsConfig, Value>, _ value: Value) -> Builder {
            config[keyPath: key] = value
            return self
        }
    }
}
