#if GTK
import Foundation
import TestSupport

extension GTKDesktop {
    /// Finds a control as a screen reader does, and does something with it. Waits until the control is there.
    ///
    /// - Parameters:
    ///   - action: `press`, `set VALUE`, `value`, `enabled`, `place` or `label`, which only finds a label. `beginning` finds a label by the
    ///     beginning of its text. `appears` and `disappears` only wait, for a label or another control. `focus` does not wait.
    ///   - name: the name of the control.
    ///   - small: `true` for the picture-in-picture window, whose buttons have the names of those in the main window.
    /// - Returns: the place and the size in the window, for `place`. The value, for `value`. The name of the control with the keyboard
    ///   focus, for `focus`. The text, for `beginning`. `yes` or `no`, for `enabled` and `exists`.
    @discardableResult
    func accessible(_ action: String, _ name: String, small: Bool = false) async throws -> String {
        // Debian's own Python has the bindings, whichever python3 is first in PATH.
        let result = try await run("/usr/bin/python3", ["-c", Self.script, action, name, small ? "small" : "main"])
        guard result.status == 0 else { throw FixtureError(description: "\(action) \(name): \(result.errors)") }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static let script = """
        import sys, time
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi
        # By default a node that does not answer within 0.8 s has no children and no name.
        Atspi.set_timeout(120_000, 120_000)

        def nodes(node):
            yield node
            for index in range(node.get_child_count()):
                child = node.get_child_at_index(index)
                if child: yield from nodes(child)

        def controls():
            desktop = Atspi.get_desktop(0)
            for index in range(desktop.get_child_count()):
                program = desktop.get_child_at_index(index)
                for number in range(program.get_child_count()):
                    window = program.get_child_at_index(number)
                    isSmall = window and window.get_name() == "Picture in picture"
                    if window and isSmall == (sys.argv[3] == "small"): yield from nodes(window)

        def find(name, label):
            found = None
            if action[0] == "beginning":
                return next((node for node in controls() if node.get_name().startswith(name)), None)
            for node in controls():
                # A menu button is two nodes, of which the inner one has the action.
                # The label of a button has its name too.
                if node.get_name() == name and (node.get_role_name() == "label") == label: found = node
            return found

        def focused():
            for node in controls():
                if node.get_state_set().contains(Atspi.StateType.FOCUSED): return node.get_name()
            return ""

        action, name = sys.argv[1].split(" "), sys.argv[2]
        if action[0] == "focus":
            try: print(focused())
            except Exception as error: print(error, file=sys.stderr)
            sys.exit()
        deadline = time.monotonic() + 120
        while True:
            try:
                node = find(name, action[0] == "label")
                if action[0].endswith("appears"): node = node or find(name, True)
                if (node is None) == (action[0] == "disappears"): break
                names = [node.get_name() for node in controls()]
            except Exception as error:
                # The tree changes while it is read.
                names = [str(error)]
            if time.monotonic() > deadline: sys.exit("not within two minutes; there are " + str(names))
            time.sleep(0.05)
        if action[0] == "press":
            while node.get_n_actions() == 0 and node.get_child_count() > 0: node = node.get_child_at_index(0)
            if node.get_n_actions() == 0: node = node.get_parent()
            if not node.do_action(0): sys.exit("cannot press " + name)
        elif action[0] == "set": node.set_current_value(float(action[1]))
        elif action[0] == "beginning": print(node.get_name())
        elif action[0] == "enabled": print("yes" if node.get_state_set().contains(Atspi.StateType.SENSITIVE) else "no")
        elif action[0] == "value": print(node.get_current_value())
        elif action[0] == "place":
            area = node.get_extents(Atspi.CoordType.WINDOW)
            print(area.x, area.y, area.width, area.height)
        """
}
#endif
