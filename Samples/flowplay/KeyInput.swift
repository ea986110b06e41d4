import FlowplayerSDK
import PlayerControls

/// A position that the user types, as in `1:30`, `90` or `50%`.
struct TimeEntry: Equatable {
    enum Step: Equatable {
        case typing, cancelled
        /// The user has pressed Enter.
        case finished(String)
    }

    private static let characters = "0123456789:.%-"
    private static let longest = 12

    private(set) var text = ""

    /// The line that shows what is typed.
    var prompt: String { "Go to 1:30, 90 or 50%: \(text)_" }

    mutating func press(_ key: ControlsKey) -> Step {
        switch key {
        case .escape: return .cancelled
        case .character("\n"), .character("\r"): return text.isEmpty ? .cancelled : .finished(text)
        case .backspace: text = String(text.dropLast())
        case .character(let character) where Self.characters.contains(character) && text.count < Self.longest:
            text.append(character)
        default: break
        }
        return .typing
    }
}

/// Handles the keys of the terminal.
@MainActor
final class KeyInput {
    private let view: FlowplayerView
    private let controls: ControlsModel
    private var entry: TimeEntry? { didSet { onPrompt(entry?.prompt) } }
    /// Called when the user presses `q`.
    var onQuit: @MainActor () -> Void = {}
    /// Called when the user asks for the list of keys.
    var onKeyList: @MainActor () -> Void = {}
    /// Called with the line that shows what is typed; `nil` at the end.
    var onPrompt: @MainActor (String?) -> Void = { _ in }

    init(_ view: FlowplayerView, _ controls: ControlsModel) { (self.view, self.controls) = (view, controls) }

    func press(_ key: ControlsKey) {
        if entry != nil { return type(key) }
        switch key {
        case .character("q"): onQuit()
        case .character("?"), .character("h"): onKeyList()
        case .character("g"):
            if view.snapshot.isSeekable {
                entry = TimeEntry()
            } else {
                controls.show(message: "Seeking is not possible")
            }
        default: controls.press(key)
        }
    }

    private func type(_ key: ControlsKey) {
        switch entry?.press(key) {
        case .finished(let text):
            entry = nil
            controls.show(message: seek(to: text))
        case .cancelled: entry = nil
        case .typing, nil: break
        }
    }

    private func seek(to text: String) -> String {
        guard let position = try? StartPosition(text) else { return "\(text) is not a time: type 90, 1:30 or 50%" }
        guard let duration = view.snapshot.duration ?? (position.needsDuration ? nil : 0) else {
            return "The duration is unknown: type 90 or 1:30"
        }
        return ControlsAction.seek(to: position.seconds(in: duration)).perform(on: view) ?? "Seeking is not possible"
    }
}
