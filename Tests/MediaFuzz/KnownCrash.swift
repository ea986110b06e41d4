/// A file that crashes libVLC. `KNOWN_ISSUES.md` lists it, and it is not played.
struct KnownCrash {
    let seed: UInt64
    let name: Mutant.Name
    let reason: String

    static let all: [KnownCrash] = []
}
