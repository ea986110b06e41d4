import BenchmarkSupport
import Foundation

/// The reason why a benchmark cannot measure.
public struct Failure: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}

/// Runs a benchmark and ends the process: status 0 if all bounds are met, 3 if one is missed, 1 if it cannot measure.
///
/// - Parameters:
///   - programs: the programs that it starts, each with its Debian package.
///   - body: returns `true` if all bounds are met.
@MainActor
public func runBenchmark(
    needs programs: [String: String] = [:], _ body: @MainActor () async throws -> Bool
) async -> Never {
    do {
        try checkInstalled(programs)
        exit(try await body() ? 0 : 3)
    } catch {
        FileHandle.standardError.write(Data("error: \(error)\n".utf8))
        exit(1)
    }
}

/// - Parameter programs: each with its Debian package.
public func checkInstalled(_ programs: [String: String]) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map { URL(filePath: String($0)) }
    let missing = programs.filter { program, _ in
        !folders.contains { FileManager.default.isExecutableFile(atPath: $0.appending(path: program).path()) }
    }
    if missing.isEmpty { return }
    let names = missing.keys.sorted().joined(separator: ", ")
    let packages = Set(missing.values).sorted().joined(separator: " ")
    throw Failure(description: "\(names) not found. Install with: apt-get install \(packages)")
}

/// Runs a program that is installed, or one of this package's, which is in the folder of the benchmark.
///
/// - Returns: its standard output.
@discardableResult
public func output(
    of program: String, _ arguments: [String], environment: [String: String] = [:]
) async throws -> String {
    let own = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: program).path()
    var command = Command(FileManager.default.isExecutableFile(atPath: own) ? own : program, arguments)
    command.environment = environment
    let result = try await command.run()
    guard result.status == 0 else {
        throw Failure(description: "\(program) failed with status \(result.status). \(result.errors.suffix(500))")
    }
    return result.output
}

/// Prints progress, to standard error.
public func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

public func median(_ values: [Double]) -> Double { values.isEmpty ? .nan : values.sorted()[values.count / 2] }

/// The verdict of a figure, for the table.
public func verdict(_ isMet: Bool) -> String { isMet ? "met" : "MISSED" }
