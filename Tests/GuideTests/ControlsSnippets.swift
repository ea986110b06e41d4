import FlowplayerSDK
import PlayerControls

// The code of the guide to controls.

/// A view of some toolkit: its controls print instead of drawing.
@MainActor
final class PrintedControls {
    let model: ControlsModel

    init(_ view: FlowplayerView) {
        model = ControlsModel(view: view)
        model.onChange = { [weak self] state in self?.draw(state) }
    }

    func draw(_ state: ControlsState) {
        guard state.areVisible else { return print("hidden") }
        print(state.play?.label ?? "-", state.position, state.duration ?? "")
        for menu in state.menus {
            print(menu.title, menu.entries.first { $0.isSelected }?.label ?? "-")
        }
        if let failure = state.failure { print(failure.text, failure.retry.label) }
        if let message = state.message { print(message) }
    }
}

@MainActor
func pass(_ x: Double, _ y: Double, to model: ControlsModel) {
    if let play = model.state.play { model.perform(play.action) }
    model.press(.character("m"))
    model.pointerMoved(x: x, y: y)
    model.hold(.menuOpen, true)
}

@MainActor
func dragToTheMiddle(_ model: ControlsModel) {
    let bar = model.state.seekBar
    if let hover = bar.hover(at: 0.5) { print(hover.time, hover.chapter ?? "") }
    model.drag(to: 0.5)
    model.endDrag()
}

@MainActor
func changeKeys(of model: ControlsModel) {
    model.keyMap[.character("z")] = .skip(by: -30)
    model.keyMap[.character("p")] = nil
    for row in model.keyMap.rows() { print(row.keys, row.title) }
}
