#if GTK
import CGTK
import FlowplayerSDK
import Foundation
import Images
import MediaTransport
import Playback
import PlayerControls
import Playlists

/// A widget that shows the video of a player, with controls.
///
/// The video keeps its shape: what remains of the widget is black. Frames that come faster than GTK paints are dropped. While the
/// player is paused, nothing is painted.
///
/// `hideControls` and `controlsConfig` of the player choose the controls, a thin bar and the handle of the seek bar. Until the first frame, the widget shows the poster of the
/// item: `artworkURL` of its metadata. On a server it has to be JPEG or PNG, and the security policy of the item applies.
///
/// Make it before the player loads an item, and use it on the main thread.
@MainActor
public final class GTKPlayerView {
    /// The player.
    public let player: FlowplayerView
    /// The state and the keys of the controls.
    public let controls: ControlsModel
    /// How the video fits into the widget. `resizeAspect` by default.
    public var videoGravity = PlayerLayer.VideoGravity.resizeAspect {
        didSet { for picture in [video, poster] { gtk_picture_set_content_fit(picture.opaque, videoGravity.fit) } }
    }
    /// `true` never shows the pointer over the widget, for screens without a mouse. `false` by default.
    public var alwaysHidesPointer = false {
        didSet { drawPointer(controls.state) }
    }
    /// `true` while the small window is open.
    public var isPictureInPicture: Bool { pictureInPicture != nil }
    /// `true` to show frames above the seek bar also for items that are not files. Each frame needs another connection. `false` by
    /// default.
    public var allowsNetworkThumbnails: Bool {
        get { thumbnails.allowsNetwork }
        set { thumbnails.allowsNetwork = newValue }
    }
    /// Returns the address of the WebVTT thumbnails of an item, or `nil` if it has none. They are shown above the seek bar instead of
    /// frames of the item, also for items that are not files.
    public var thumbnailTrack: (@MainActor (PlayerItem) -> URL?)? {
        get { thumbnails.track }
        set { thumbnails.track = newValue }
    }
    /// Called with the files that the user drops on the widget. By default they replace the queue.
    public var onDrop: (@MainActor ([URL]) -> Void)?
    /// Called with each key that has no action in the key map of the controls. Return `true` if it has an effect.
    public var onKey: (@MainActor (ControlsKey) -> Bool)?
    /// The number of frames that were painted.
    public var paintedFrames: Int { paintable.paintedFrames }

    /// Called with each new frame.
    var onFrame: (@MainActor () -> Void)?
    let paintable: FramePaintable
    private let frames: FrameToPaint
    private let overlay: ObjectReference
    private let video: UnsafeMutablePointer<GtkWidget>
    private let poster: UnsafeMutablePointer<GtkWidget>
    private let bar: ControlBar
    private let thumbnails: SeekThumbnails
    private let status: StatusOverlay
    private let ad: AdPanel
    private var pictureInPicture: PictureInPicture?
    private var posterURL: URL?
    private var isPointerHidden = false
    private var observations: [ObservationToken] = []

    /// - Parameter player: the player. Its `videoOutput` becomes the widget.
    public init(_ player: FlowplayerView) {
        self.player = player
        controls = ControlsModel(view: player)
        let link = Link()
        frames = FrameToPaint(maximumFrameSize: Screens.largestSize) { link.view?.newFrame() }
        paintable = FramePaintable(frames: frames)
        video = gtk_picture_new_for_paintable(paintable.pointer.opaque)
        poster = gtk_picture_new()
        let overlay: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
        self.overlay = ObjectReference(overlay)
        thumbnails = SeekThumbnails(player)
        bar = ControlBar(controls, owner: overlay, thumbnails: thumbnails)
        status = StatusOverlay(controls, bar: bar.widget)
        ad = AdPanel(controls, bar: bar.widget)
        link.view = self
        Style.load
        gtk_widget_add_css_class(overlay, "flowplayer")
        arrange(in: overlay)

        let input = PlayerInput(model: controls)
        input.followPointer(over: overlay, video: video) { [bar] y in
            bar.covers(y, of: overlay)
        } pressed: { [bar] in
            bar.leaveFocus()
        }
        input.receiveFiles(on: overlay) { [weak self] in self?.drop($0) }
        controls.onChange = { [weak self] in self?.draw($0) }
        controls.onPictureInPicture = { [weak self] in self?.setPictureInPicture($0) }
        draw(controls.state)
        player.videoOutput = .frames(frames)
        observations = [
            player.observe(\.hasVideo, startsWithCurrent: true) { [weak self] _, hasVideo in
                if !hasVideo { self?.removeFrame() }
            },
            player.observe(\.metadata.artworkURL, startsWithCurrent: true) { [weak self] _, url in
                self?.loadPoster(url)
            },
        ]
    }

    /// The `GtkWidget`, for programs that use GTK's functions. It is valid as long as the view.
    public var widget: UnsafeMutableRawPointer { overlay.pointer }

    /// Passes the keys of a window to the controls.
    ///
    /// `GTKPlayerWindow` does this itself.
    ///
    /// - Parameter window: the `GtkWindow`.
    public func followKeys(of window: UnsafeMutableRawPointer) {
        PlayerInput(model: controls).followKeys(of: window.widget) { [weak self] in
            self?.bar.menu.isOpen ?? false
        } leaveFocus: { [weak self] in
            self?.bar.leaveFocus() ?? false
        } others: { [weak self] key in
            self?.onKey?(key) ?? false
        }
    }

    private func arrange(in overlay: UnsafeMutablePointer<GtkWidget>) {
        for picture in [video, poster] {
            gtk_picture_set_content_fit(picture.opaque, videoGravity.fit)
            // Otherwise the window could not be smaller than the video.
            gtk_picture_set_can_shrink(picture.opaque, 1)
            gtk_widget_set_overflow(picture, GTK_OVERFLOW_HIDDEN)
        }
        gtk_widget_set_hexpand(video, 1)
        gtk_widget_set_vexpand(video, 1)
        gtk_widget_add_css_class(video, "flowplayer-video")
        gtk_widget_set_can_target(poster, 0)
        gtk_overlay_set_child(overlay.opaque, video)
        gtk_overlay_add_overlay(overlay.opaque, poster)
        for widget in status.widgets { gtk_overlay_add_overlay(overlay.opaque, widget) }

        bar.widget.align(GTK_ALIGN_FILL, GTK_ALIGN_END)
        gtk_overlay_add_overlay(overlay.opaque, bar.widget)
        gtk_overlay_add_overlay(overlay.opaque, ad.widget)
        gtk_overlay_add_overlay(overlay.opaque, bar.hover.widget)
    }

    private func newFrame() {
        paintable.refresh()
        updatePoster()
        onFrame?()
    }

    private func removeFrame() {
        paintable.clear()
        updatePoster()
    }

    private func draw(_ state: ControlsState) {
        bar.draw(state)
        status.draw(state)
        ad.draw(state)
        pictureInPicture?.draw(state)
        drawPointer(state)
    }

    private func drawPointer(_ state: ControlsState) {
        let isHidden = state.isPointerHidden || alwaysHidesPointer
        guard isHidden != isPointerHidden else { return }
        isPointerHidden = isHidden
        gtk_widget_set_cursor_from_name(overlay.pointer.widget, isHidden ? "none" : nil)
    }

    /// Opens or closes the small window with the video.
    ///
    /// While it is open and all windows are minimised, the program is in the background with the reason `pictureInPicture`.
    public func setPictureInPicture(_ isOpen: Bool) {
        guard isOpen != isPictureInPicture else { return }
        if isOpen {
            let window = PictureInPicture(of: self) { [weak self] in self?.pictureInPictureEnded() }
            pictureInPicture = window
            controls.isPictureInPicture = true
            GTKApplication.visibilityChanged()
            if !window.staysAbove { controls.show(message: "Other windows may cover the small window.") }
        } else {
            pictureInPicture?.dismiss()
        }
    }

    private func pictureInPictureEnded() {
        pictureInPicture = nil
        controls.isPictureInPicture = false
        GTKApplication.visibilityChanged()
    }

    /// Shows the poster while there is no frame.
    private func updatePoster() {
        poster.isVisible = gtk_picture_get_paintable(poster.opaque) != nil && paintable.isEmpty
    }

    private func loadPoster(_ url: URL?) {
        guard url != posterURL else { return }
        posterURL = url
        gtk_picture_set_paintable(poster.opaque, nil)
        updatePoster()
        guard let url, let item = player.snapshot.item?.source else { return }
        if url.isFileURL {
            gtk_picture_set_filename(poster.opaque, url.path(percentEncoded: false))
            updatePoster()
        } else {
            Task { [weak self] in
                guard let frame = await Self.image(url, of: item), let self, posterURL == url else { return }
                let texture = FramePaintable.texture(of: frame)
                gtk_picture_set_paintable(poster.opaque, texture)
                g_object_unref(texture.raw)
                updatePoster()
            }
        }
    }

    /// Reads an image of JPEG or PNG from a server.
    @concurrent private nonisolated static func image(_ url: URL, of item: PlayerItem) async -> VideoFrame? {
        let data = try? await ItemFile.read(url, of: item, upTo: 16 << 20)
        return data.flatMap { VideoFrame(imageData: $0) }
    }

    private func drop(_ urls: [URL]) {
        if let onDrop { return onDrop(urls) }
        Task { await open(urls) }
    }

    /// Replaces the queue by files, and plays it. Folders and playlists are read.
    ///
    /// - Parameter urls: the files. Only the first 1,000 are used.
    public func open(_ urls: [URL]) async {
        var items: [PlayerItem] = []
        for url in urls.prefix(Self.mostFiles) {
            if url.isFileURL, Playlist.isPlaylist(url), let list = try? await Playlist.load(url) {
                items += list.items
            } else {
                items.append(PlayerItem(url: url))
            }
        }
        guard !items.isEmpty else { return controls.show(message: "There is nothing to play.") }
        player.queue?.load(items, autoPlay: true)
    }

    private static let mostFiles = 1000

    /// The handler of new frames is needed before the view is complete.
    private final class Link {
        weak var view: GTKPlayerView?
    }
}

extension PlayerLayer.VideoGravity {
    fileprivate var fit: GtkContentFit {
        switch self {
        case .resizeAspect: GTK_CONTENT_FIT_CONTAIN
        case .resizeAspectFill: GTK_CONTENT_FIT_COVER
        case .resize: GTK_CONTENT_FIT_FILL
        }
    }
}
#endif
