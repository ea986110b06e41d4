#if GTK
import CGTK
import PlayerControls

/// The menu button for audio, subtitles, quality and speed.
///
/// The menus are models with stateful actions. GTK draws them as radio items, which keys and screen readers can use.
@MainActor
final class SettingsMenu {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let actions: ObjectReference
    private let model: ControlsModel
    private(set) var isOpen = false
    private var menus: [ControlsState.Menu] = []
    /// Longer names would make the menu wider than the screen.
    private static let longestName = 60

    /// - Parameter owner: the widget whose children use the actions.
    init(_ model: ControlsModel, owner: UnsafeMutablePointer<GtkWidget>) {
        self.model = model
        widget = gtk_menu_button_new()
        actions = ObjectReference(owned: g_simple_action_group_new())
        gtk_widget_insert_action_group(owner, "player", actions.pointer.opaque)
        gtk_menu_button_set_icon_name(widget.opaque, "emblem-system-symbolic")
        gtk_menu_button_set_has_frame(widget.opaque, 0)
        gtk_menu_button_set_direction(widget.opaque, GTK_ARROW_UP)
        gtk_widget_set_tooltip_text(widget, "Settings")
        widget.setAccessibleLabel("Settings")
    }

    func draw(_ newMenus: [ControlsState.Menu]) {
        guard newMenus != menus else { return }
        let isSameChoice = newMenus.map(\.labels) == menus.map(\.labels)
        menus = newMenus
        widget.isVisible = !menus.isEmpty
        if !isSameChoice { rebuild() }
        for menu in menus {
            let action = g_action_map_lookup_action(actions.pointer.opaque, menu.kind.rawValue)
            g_simple_action_set_state(action, g_variant_new_string(menu.selected))
        }
    }

    /// Makes actions and menus for other tracks. An open menu would close, so this is not done for another selection.
    private func rebuild() {
        let root = g_menu_new()
        let text = g_variant_type_new("s")
        defer { g_variant_type_free(text) }
        for menu in menus {
            let action = g_simple_action_new_stateful(
                menu.kind.rawValue, text, g_variant_new_string(menu.selected))
            Signal.connect(action!, "activate") { [weak self] arguments in
                self?.select(menu.kind, arguments.string(0))
            }
            g_action_map_add_action(actions.pointer.opaque, action)
            g_object_unref(action?.raw)
            let list = g_menu_new()
            for (index, entry) in menu.entries.enumerated() {
                g_menu_append(list, Self.text(entry.label), "player.\(menu.kind.rawValue)::\(index)")
            }
            g_menu_append_submenu(root, Self.text(menu.title), list?.raw.cast())
            g_object_unref(list?.raw)
        }
        gtk_menu_button_set_menu_model(widget.opaque, root?.raw.cast())
        g_object_unref(root?.raw)
        followPopover()
    }

    /// The button makes a new popover for each model.
    private func followPopover() {
        guard let popover = gtk_menu_button_get_popover(widget.opaque) else { return }
        let follow = { (signal: String, isOpen: Bool) in
            Signal.connect(popover, signal) { [weak self] in
                self?.isOpen = isOpen
                self?.model.hold(.menuOpen, isOpen)
            }
        }
        follow("map", true)
        follow("unmap", false)
    }

    private func select(_ kind: ControlsState.Menu.Kind, _ index: String?) {
        guard let menu = menus.first(where: { $0.kind == kind }), let index = index.flatMap({ Int($0) }),
            menu.entries.indices.contains(index)
        else { return }
        model.perform(menu.entries[index].action)
    }

    /// An underscore would mark the next letter as a key.
    private static func text(_ label: String) -> String {
        let short = label.count > longestName ? label.prefix(longestName) + "…" : label[...]
        return String(short).replacing("_", with: "__").replacing("\n", with: " ")
    }
}

extension ControlsState.Menu {
    fileprivate var labels: [String] { [kind.rawValue, title] + entries.map(\.label) }

    /// The index of the selected entry, as text.
    fileprivate var selected: String { entries.firstIndex { $0.isSelected }.map(String.init) ?? "" }
}
#endif
