import FlowplayerSDK
import Playback

/// The text of `--engines`.
@MainActor
struct EngineList {
    let registry: BackendRegistry

    /// A line for each engine, and lines with its properties.
    var text: String {
        let automatic = registry.automaticDescriptors
        let others = registry.descriptors.filter { !$0.isAutomatic }
        let choice = automatic.map(\.name.rawValue).joined(separator: ", then ")
        var lines = automatic.isEmpty ? [] : ["auto\tthe first engine that can play the item: \(choice)"]
        for engine in automatic + others {
            let installation = engine.installation
            lines.append("\(engine.name.rawValue)\t\(engine.summary)")
            lines += installation.version.map { ["  version:    \($0)"] } ?? []
            lines.append("  schemes:    \(engine.schemes.sorted().joined(separator: ", "))")
            lines.append("  containers: \(engine.containers?.sorted().joined(separator: ", ") ?? "nearly all")")
            lines += installation.missing.map { "  not here:   \($0)" }
        }
        let missing = registry.missingEngines.map { "  \($0.name.rawValue): \($0.sentence)" }
        if !missing.isEmpty { lines += ["Not in this build:"] + missing }
        return lines.joined(separator: "\n") + "\n"
    }
}
