import Foundation
import Playback

/// Throws unless the recorded events equal the file `Golden/name.txt` beside the test.
///
/// If the environment variable `FLOWPLAYER_UPDATE_GOLDEN` is not empty, the file is written instead, and a line on
/// standard error says so. A target whose folder holds such files names them in its manifest: `exclude: ["Golden"]`.
///
/// - Parameters:
///   - name: the name of the file, without its ending.
///   - positions: `true` to compare the positions too.
/// - Throws: `EventMismatch` if the events differ or there is no such file; the system's error if it cannot be read or
///   written.
@MainActor
public func expectGolden(
    _ name: String, _ recorder: EventRecorder, positions: Bool = false, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line
) throws {
    try expectGolden(name, text: recorder.log(positions: positions), fileID: fileID, filePath: filePath, line: line)
}

/// Throws unless a string equals the file `Golden/name.txt` beside the test.
///
/// - Parameters:
///   - name: of the file, without its ending.
///   - text: compared line by line.
/// - Throws: `EventMismatch` if the lines differ or there is no such file; the system's error if it cannot be read or
///   written.
public func expectGolden(
    _ name: String, text: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line
) throws {
    let variable = ProcessInfo.processInfo.environment[GoldenFile.updateVariable] ?? ""
    let file = GoldenFile(name: name, besides: URL(filePath: "\(filePath)"), isUpdated: !variable.isEmpty)
    if let update = try file.expect(text, at: CallSite(fileID: fileID, line: line)) {
        FileHandle.standardError.write(Data((update + "\n").utf8))
    }
}

/// A file beside a test with the expected lines.
struct GoldenFile {
    static let updateVariable = "FLOWPLAYER_UPDATE_GOLDEN"

    private let url: URL
    private let isUpdated: Bool
    private var name: String { "Golden/\(url.lastPathComponent)" }

    init(name: String, besides test: URL, isUpdated: Bool) {
        url = test.deletingLastPathComponent().appending(path: "Golden/\(name).txt")
        self.isUpdated = isUpdated
    }

    /// - Returns: the change of the file; `nil` if there is none.
    func expect(_ text: String, at site: CallSite) throws -> String? {
        let exists = FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
        let golden = exists ? try String(contentsOf: url, encoding: .utf8) : nil
        guard golden != text else { return nil }
        if isUpdated {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
            return "\(name): \(exists ? "updated" : "created")"
        }
        guard let golden else {
            throw site.mismatch("\(name) is missing. \(advice("make it"))", [])
        }
        let (expected, actual) = (Self.lines(of: golden), Self.lines(of: text))
        let difference = LineDifference(expected: expected, actual: actual, text: \.self)
        throw site.mismatch("\(name) says something else. \(advice("take over what came"))", difference.lines())
    }

    private func advice(_ action: String) -> String { "To \(action), run the test with \(Self.updateVariable)=1." }

    private static func lines(of text: String) -> [String] {
        let body = text.hasSuffix("\n") ? text.dropLast() : text[...]
        return body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

extension EventRecorder {
    /// The recorded events as text, which is stable from run to run with a `ManualClock`: a line for each event with
    /// its time in seconds since the recorder was made.
    ///
    /// - Parameter positions: `true` to include the positions.
    public func log(positions: Bool = false) -> String {
        entries.filter { positions || !$0.event.isPosition }.map { $0.line + "\n" }.joined()
    }
}

extension EventRecorder.Entry {
    fileprivate var line: String { String(format: "%.3f  ", time.inSeconds) + event.text }
}
