import Foundation

/// The names of a program that remote controls show and use.
public struct NowPlayingIdentity: Hashable, Sendable {
    /// The last part of the program's bus name. Characters that are not allowed become `_`.
    public var name: String
    /// The name that people see.
    public var displayName: String
    /// The name of its desktop file without `.desktop`, which has the icon; `nil` if there is none.
    public var desktopEntry: String?
    /// The schemes of the URLs that `NowPlayingCenter.openHandler` accepts.
    public var uriSchemes: [String]
    /// The MIME types of the items that `NowPlayingCenter.openHandler` accepts.
    public var mimeTypes: [String]

    /// - Parameters:
    ///   - name: the last part of the bus name; the name of the process by default.
    ///   - displayName: the name that people see; `name` by default.
    ///   - desktopEntry: the name of its desktop file, without `.desktop`.
    ///   - uriSchemes: the schemes of the URLs that it opens.
    ///   - mimeTypes: the MIME types of the items that it opens.
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
