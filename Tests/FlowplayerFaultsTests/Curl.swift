import Foundation
import TestSupport

/// The result of curl for an address. curl is an independent client.
struct Curl {
    /// The exit codes of curl. See EXIT CODES in its manual.
    enum Code {
        static let fine: Int32 = 0
        static let unsupportedScheme: Int32 = 1
        static let cannotConnect: Int32 = 7
        static let partialFile: Int32 = 18
        static let timeOut: Int32 = 28
        static let tooManyRedirects: Int32 = 47
        static let nothingCame: Int32 = 52
        static let receiveFailed: Int32 = 56
        static let certificateRefused: Int32 = 60
    }

    let code: Int32
    /// The status of the last response, or 0.
    let status: Int
    /// The headers of all responses, by lower-case name. Each has its last value.
    let headers: [String: String]
    let body: Data
    /// The time until the headers and until the end, in seconds.
    let time: (first: Double, total: Double)

    static func get(_ url: URL, _ options: String...) async throws -> Curl {
        let folder = MediaFixtures.shared.directory.appending(path: "curl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (body, head) = (folder.appending(path: "body"), folder.appending(path: "head"))
        let fixed = [
            "--silent", "--disable", "--noproxy", "*", "--max-time", "120", "--output", body.path(), "--dump-header",
            head.path(), "--write-out", "%{http_code} %{time_starttransfer} %{time_total}",
        ]
        let result = try await Command("curl", fixed + options + [url.absoluteString]).run()
        let reported = result.output.split(separator: " ").map(String.init)
        guard reported.count == 3, let status = Int(reported[0]), let first = Double(reported[1]),
            let total = Double(reported[2])
        else {
            throw FixtureError(description: "curl says: \(result.output) \(result.errors)")
        }
        let lines = ((try? String(contentsOf: head, encoding: .utf8)) ?? "").split(whereSeparator: \.isNewline)
        let headers = lines.compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (line[..<colon].lowercased(), value)
        }
        return Curl(
            code: result.status, status: status, headers: Dictionary(headers, uniquingKeysWith: { $1 }),
            body: (try? Data(contentsOf: body)) ?? Data(), time: (first, total))
    }
}

extension Curl {
    /// Writes the bytes to a file.
    static func file(_ bytes: Data) async throws -> URL {
        try await MediaFixtures.shared.bytes("\(UUID().uuidString).mp4", bytes)
    }
}
