#if GTK
import CGTK

/// The style of the widgets that differs from the desktop's theme.
@MainActor
enum Style {
    /// Loads the style sheet, once in a process. Needs a display.
    static let load: Void = {
        guard let display = gdk_display_get_default() else { return }
        let provider = gtk_css_provider_new()!
        gtk_css_provider_load_from_data(provider, sheet, -1)
        gtk_style_context_add_provider_for_display(
            display, provider.opaque, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
    }()

    // Only lengths, and the black around a video. Colours are those of the theme.
    private static let sheet = """
        .flowplayer-video { background: black; }
        .flowplayer-bar { padding: 2px 12px 6px 12px; border-radius: 12px; margin: 12px; }
        .flowplayer-bar, .flowplayer-small-bar { transition: opacity 200ms; }
        .flowplayer-hidden { opacity: 0; }
        .flowplayer-bar.flowplayer-thin { padding: 0 4px; border-radius: 0; margin: 0; }
        .flowplayer-thin button { min-height: 20px; padding-top: 2px; padding-bottom: 2px; }
        .flowplayer-bar scale { padding: 6px 4px; }
        .flowplayer-no-handle slider { opacity: 0; }
        .flowplayer-small-bar { padding: 4px; border-radius: 12px; margin: 8px; }
        .flowplayer-bar popover contents { color: @theme_fg_color; }
        .flowplayer-seek { margin-bottom: 0; }
        .flowplayer-badge { padding: 0 6px; font-weight: bold; }
        .flowplayer-hover { padding: 4px; border-radius: 6px; }
        .flowplayer-message { padding: 8px 16px; border-radius: 12px; font-size: larger; }
        .flowplayer-panel { padding: 24px; border-radius: 12px; }
        .flowplayer-ad { padding: 6px 12px; border-radius: 12px; }
        .flowplayer-key { font-weight: bold; }
        """
}
#endif
