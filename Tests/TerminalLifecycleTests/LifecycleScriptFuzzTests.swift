import Foundation
import Playback
import TerminalLifecycle
import TestSupport
import Testing

/// The parser accepts every script without a crash, and its steps have finite delays.
@Suite struct LifecycleScriptFuzzTests {
    private static let pieces = [
        ";", " ", "\t", "\n", "s", "ms", "0x1p4s", "1e6s", "1e-320s", "1e400s", "nans", "infs", "-0s", "foreground",
        "hidden",
        "locked", "\u{301}", "💿", "\0",
    ]
    private static let scripts = [
        "2s hidden; 3s foreground; 1s locked", "1.5s   jobStopped;300ms\tforeground ;", "0s sleep",
        "7s pictureInPicture",
    ]

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddScriptsAreReadOrRefused(seed: UInt64) async {
        var mutator = Mutator(seed: seed, pieces: Self.pieces)
        var (read, refused) = (0, 0)
        for number in 0..<Fuzzing.count(short: 2500) {
            await Fuzzing.giveWay(number)
            let text: String = mutator.mutant(of: Self.scripts)
            do throws(LifecycleScript.ParseError) {
                let script = try LifecycleScript(text)
                read += 1
                #expect(!script.steps.isEmpty, "\(text)")
                #expect(script.steps.allSatisfy { $0.delay >= .zero && $0.delay <= .seconds(1e6) }, "\(text)")
            } catch {
                refused += 1
                #expect(!error.description.isEmpty)
            }
        }
        #expect(read > 250 && refused > 250)
    }
}
