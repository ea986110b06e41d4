// Measures how long the player takes to report each fault, under the default retry policy.
// usage: faults [--update]
//   --update    write the tables of Docs/ErrorTables.md
import Measuring

await runBenchmark(needs: ["ffmpeg": "ffmpeg"]) {
    let matrix = try await FaultMatrix { _ in .standard }
    print(matrix.table)
    if CommandLine.arguments.contains("--update") {
        var document = try FaultDocument()
        try document.replace("codes", with: FaultMatrix.codes)
        try document.replace("faults", with: matrix.table)
        try document.replace("messages", with: matrix.messages)
    }
    return true
}
