import Foundation

/// What a program is called where its players are controlled from elsewhere.
public struct NowPlayingIdentity: Hashable, Sendable {
    /// What programs call it: the part of its name on the bus that is its own. What may not stand there becomes `_`.
    public var name: String
    /// What people call it.
    public var displayName: String
    /// The name of its desktop file, without `.desktop`: from there comes its icon. `nil` if it has none.
    public var desktopEntry: String?
    /// Schemes of the addresses that `NowPlayingCenter.openHandler` takes.
    public var uriSchemes: [String]
    /// Types of the media that `NowPlayingCenter.openHandler` takes.
    public var mimeTypes: [String]

    /// - Parameters:
    ///   - name: what programs call it; that of the process by default.
    ///   - displayName: what people call it; the name by default.
    ///   - desktopEntry: the name of its desktop file, without `.desktop`.
    ///   - uriSchemes: schemes of the addresses that it opens.
    ///   - mimeTypes: types of the media that it opens.
    public init(
        name: String = ProcessInfo.processInfo.processName, displayName: String? = nil, desktopEntry: String? = nil,
        uriSchemes: [String] = [], mimeTypes: [String] = []
    ) {
        self.name = name
        self.displayName = displayName ?? name
        self.desktopEntry = desktopEntry
        self.uriSchemes = uriSchemes
        self.mimeTypes = mimeTypes
    }
}
