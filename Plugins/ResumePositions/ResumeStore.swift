import FlowplayerSDK
import Foundation
import Playback

/// Keeps the positions of items, so that a later session can resume them.
///
/// ```swift
/// let store = ResumeStore()
/// view.attach(store)
/// let position = await store.position(of: url) ?? 0
/// view.load(external: MediaExternal(url: url), startPosition: position)
/// ```
///
/// The store keeps the position of each item that an attached player plays. You can attach it to several players, and
/// several processes can use one folder. It does not seek: the host reads a position, and starts the item there.
///
/// The first 5 s and the last 5 % of an item are not kept. The last 5 % are 5 s at least and 5 min at most. The end of
/// an item removes its position. Live streams, advertisements, and items that are not seekable have none.
///
/// The position is written every 5 s of playback, at a pause, and when the item is unloaded. Each item has a file, which contains
/// its address without user, password, query and fragment. Addresses that differ only in those share a position. Files are read and written on a queue, never on the main actor.
@preconcurrency @MainActor
public final class ResumeStore: PlayerPlugin {
    /// The default age limit: 90 days.
    public nonisolated static let defaultAgeLimit = Duration.seconds(90 * 24 * 60 * 60)
    /// The distance of two positions that are written during playback, in seconds.
    private static let interval = 5.0

    /// Called on the main actor with each error. Playback continues. Errors that follow each other are reported once.
    public var onError: (@MainActor (ResumeStoreError) -> Void)?

    private let files: PositionFiles
    /// The items of the attached players, by the `id` of the player.
    private var items: [String: Progress] = [:]

    private struct Progress {
        var position: StoredPosition
        /// `true` if the position is written.
        var isWritten = false
        /// The position that was written last, or the first one, in seconds.
        var lastWrite: Double
    }

    /// Opens a store. Creates the folder if it is missing, and removes positions that are older than the age limit.
    ///
    /// - Parameters:
    ///   - folder: the folder of the files. It should contain nothing else.
    ///   - ageLimit: the time after which a position that was not written again is removed.
    ///   - onError: called on the main actor with each error.
    public init(
        folder: URL = ResumeStore.defaultFolder, ageLimit: Duration = ResumeStore.defaultAgeLimit,
        onError: (@MainActor (ResumeStoreError) -> Void)? = nil
    ) {
        self.onError = onError
        files = PositionFiles(folder: folder)
        files.report = { [weak self] error in
            _ = Task { @MainActor in self?.onError?(error) }
        }
        files.open(ageLimit: ageLimit)
    }

    /// `swift-flowplayer/positions` in the folder that `XDG_STATE_HOME` names, or in `~/.local/state`.
    public nonisolated static var defaultFolder: URL {
        let named = ProcessInfo.processInfo.environment["XDG_STATE_HOME"]
        // A relative path is invalid by the XDG specification.
        let state = named.flatMap { $0.hasPrefix("/") ? URL(filePath: $0, directoryHint: .isDirectory) : nil }
        let home = FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state")
        return (state ?? home).appending(path: "swift-flowplayer/positions", directoryHint: .isDirectory)
    }

    /// Returns the stored position of an item, in seconds; `nil` if there is none.
    public func position(of url: URL) async -> Double? { await files.position(of: url) }

    /// Removes the stored position of an item. If the item plays, its next position is stored again.
    public func forget(_ url: URL) { files.forget(url.positionAddress) }

    /// Removes the stored positions of all items.
    public func forgetAll() { files.forgetAll() }

    /// Waits until everything is written, at most for the given time. Call it before the process ends.
    ///
    /// - Returns: `false` if the time expired first.
    @discardableResult
    public func flush(within bound: Duration = .seconds(1)) -> Bool { files.flush(within: bound) }

    // MARK: Player events

    public func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        switch event {
        case .media:
            write(player.id)
            items[player.id] = nil
        case .position, .state(.play): follow(player.id, snapshot)
        case .state(.pause), .state(.failure), .state(.idle): write(player.id)
        case .state(.complete):
            let item = items.removeValue(forKey: player.id)
            if let address = item?.position.address ?? snapshot.item?.url?.positionAddress { files.forget(address) }
        default: break
        }
    }

    /// A detached player is not known, so the positions of all players are written.
    public func detach() {
        for player in items.keys { write(player) }
    }

    private func follow(_ player: String, _ snapshot: PlayerSnapshot) {
        guard let item = snapshot.item, let url = item.url, item.source?.isAdvertisement == false,
            // An item that fails to open keeps its position, and so does one whose stream plays an advertisement.
            snapshot.hasStarted, snapshot.advertisement == nil, snapshot.isSeekable, snapshot.playbackType != .live,
            snapshot.dvrWindow == nil
        else { return }
        let position = StoredPosition(url: url, position: snapshot.position, duration: snapshot.duration)
        let lastWrite = items[player]?.lastWrite ?? snapshot.position
        items[player] = Progress(position: position, lastWrite: lastWrite)
        if abs(lastWrite - snapshot.position) >= Self.interval { write(player) }
    }

    private func write(_ player: String) {
        guard let item = items[player], !item.isWritten else { return }
        items[player]?.isWritten = true
        items[player]?.lastWrite = item.position.position
        if item.position.isWorthKeeping { files.write(item.position) } else { files.forget(item.position.address) }
    }
}

/// An error of a `ResumeStore`.
public enum ResumeStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Positions cannot be written, so later sessions cannot resume. The reason is the system's message.
    case cannotWrite(folder: String, reason: String)
    /// A file cannot be read. The reason is the system's message.
    case cannotRead(file: String, reason: String)
    /// A file is damaged. The store has renamed it to `NAME.corrupt`, and the item has no position.
    case damaged(file: String)

    /// A message with the path and the remedy.
    public var description: String {
        switch self {
        case .cannotWrite(let folder, let reason):
            "Positions are not kept, because \(folder) cannot be written: \(reason). "
                + "Make the folder writable, or set XDG_STATE_HOME to another one."
        case .cannotRead(let file, let reason):
            "The stored position \(file) cannot be read: \(reason). Make the file readable, or remove it."
        case .damaged(let file):
            "The stored position \(file) is damaged. The file was renamed to \(file).corrupt, and the item starts at "
                + "its beginning."
        }
    }
}
